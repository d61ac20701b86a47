import { ApiError } from './apiError.ts'

/** A part of the portal that does not come is a server that is not reached, and is told so by whatever stands around it. */
export const reachable =
  <T>(load: () => Promise<T>) =>
  () =>
    load().catch((error: unknown) => {
      throw error instanceof ApiError ? error : Object.assign(new ApiError('Unreachable'), { cause: error })
    })
