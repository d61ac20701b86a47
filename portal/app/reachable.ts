import { ApiError } from './apiError.ts'

/** Whether the server answers at all. */
export const isServerReached = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** A part of the portal, be it code or words, is given up after this long. */
const partTimeOutMs = 120_000

/** What a part's request gives, or `TimedOut` when it takes too long. */
async function inTime<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError('TimedOut')), partTimeOutMs)
  })
  return Promise.race([load(), tooLate]).finally(() => clearTimeout(timer))
}

/**
 * A part of the portal that does not come, be it code or words, is a server that is not reached, and is told so by whatever stands
 * around it. Most browsers remember of a part that it did not come until the page is loaded anew; so where the browser says that it
 * has no network, the server is tried first, and a part is asked for only when it answers.
 *
 * @throws ApiError `Unreachable`, or `TimedOut` after 120 s, with a cause when the part itself was asked for
 */
export const reachable =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    // "No network" may still reach a server of this very machine.
    if (navigator.onLine === false && !(await isServerReached())) throw new ApiError('Unreachable')
    return inTime(load).catch((error: unknown) => {
      const isTooLate = error instanceof ApiError && error.code === 'TimedOut'
      throw Object.assign(new ApiError(isTooLate ? 'TimedOut' : 'Unreachable'), { cause: error })
    })
  }

/** Whether the failure of a part is one that browsers remember: asking again then needs a new page. */
export const isRemembered = (failure: unknown): boolean => failure instanceof Error && failure.cause !== undefined
