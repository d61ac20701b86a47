import { QueryClient } from '@tanstack/react-query'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { ApiError } from '#portal/app/apiError.ts'

/** Answers about the customer; all others are public. */
export const isOwn = (row: Pick<AnyEndpoint, 'needs'>) => row.needs !== 'anyone'

const mayRepeat = (error: Error) => !(error instanceof ApiError) || error.status >= 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a network the request fails at once, and the kept answer stays.
      networkMode: 'always',
      staleTime: 10_000,
      gcTime: Number.POSITIVE_INFINITY,
      retry: (count, error) => count < 2 && mayRepeat(error),
    },
    mutations: { networkMode: 'always' },
  },
})
