import { QueryClient } from '@tanstack/react-query'
import { isLost } from './apiError.ts'

/** A failure that may pass is tried twice more; a refusal is an answer. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && isLost(error),
      retryDelay: (attempt) => 400 * 3 ** attempt,
    },
    mutations: { networkMode: 'always' },
  },
})
