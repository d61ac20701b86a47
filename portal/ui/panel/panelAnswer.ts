import { ApiError } from '#portal/app/apiError.ts'

interface Answer<T> {
  data: T | undefined
  error: unknown
  refetch: () => unknown
}

/** A panel's record, or why there is none: it stays if a refresh fails, unless it is gone. */
export function panelAnswer<T>({ data, error, refetch }: Answer<T>) {
  const isGone = error instanceof ApiError && error.status === 404
  const record = isGone ? undefined : data
  return { record, failure: { error: record === undefined ? error : undefined, retry: refetch } }
}
