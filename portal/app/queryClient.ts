import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './apiError.ts'

const isPassing = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 502)

/** A failure that may pass is tried twice more; a refusal is an answer. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && isPassing(error),
      retryDelay: (attempt) => 400 * 3 ** attempt,
    },
    mutations: { networkMode: 'always' },
  },
})
