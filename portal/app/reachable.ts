import { ApiError } from './apiError.ts'

/** Whether the server answers, within some milliseconds. */
export const isServerReached = (withinMs = 10_000): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(withinMs) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Time-out of a part of the portal, code or words. */
const partTimeOutMs = 120_000

/** The result of a part's request, or `TimedOut`. */
async function inTime<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError('TimedOut')), partTimeOutMs)
  })
  return Promise.race([load(), tooLate]).finally(() => clearTimeout(timer))
}

/**
 * A part (code or words) that fails to load is reported as an unreachable server. Most browsers remember a failed part until
 * the page is reloaded; so when the browser reports no network, the server is checked first.
 *
 * @throws ApiError `Unreachable`, or `TimedOut` after 120 s, with a cause when the part itself was requested
 */
export const reachable =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    // "No network" may still reach a server on the same machine. On a round the phone itself has the parts.
    if (navigator.onLine === false && !navigator.serviceWorker?.controller && !(await isServerReached()))
      throw new ApiError('Unreachable')
    return inTime(load).catch((error: unknown) => {
      const isTooLate = error instanceof ApiError && error.code === 'TimedOut'
      throw Object.assign(new ApiError(isTooLate ? 'TimedOut' : 'Unreachable'), { cause: error })
    })
  }

/** Whether browsers remember this failure of a part: a retry then needs a new page. */
export const isRemembered = (failure: unknown): boolean => failure instanceof Error && failure.cause !== undefined
