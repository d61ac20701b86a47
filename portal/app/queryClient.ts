import { QueryClient } from '@tanstack/react-query'
import { isLost } from './apiError.ts'

/** A temporary failure is retried twice; a refusal is final. */
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
