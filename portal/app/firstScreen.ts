/** The longest wait, in milliseconds: on a slow line, or where no screen can be shown. */
const longestMs = 10_000

let firstScreen: Promise<void> = Promise.resolve()

/** Tells how to learn that the first screen shows, once, when the portal starts. */
export function awaitFirstScreen(subscribe: (tell: () => void) => void): void {
  firstScreen = new Promise((resolve) => {
    subscribe(resolve)
    setTimeout(resolve, longestMs)
  })
}

/** Resolves when the first screen shows: what it does not need is fetched from then on, and delays no part of it. */
export const firstScreenShown = (): Promise<void> => firstScreen
