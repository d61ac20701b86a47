import { ApiError } from './apiError.ts'

/**
 * A part of the portal that does not come, be it code or words, is a server that is not reached, and is told so by whatever stands
 * around it. Unlike a call's, such an error has a cause: browsers ask for a part only once, so that trying again loads the page anew.
 */
export const reachable =
  <T>(load: () => Promise<T>) =>
  () =>
    load().catch((error: unknown) => {
      throw Object.assign(new ApiError('Unreachable'), { cause: error })
    })
