import { waitMsOf } from '#domain/machines/overload.ts'

/** The time during which a machine keeps its items because the gateway is overloaded. */
export interface Hold {
  isOn(): boolean
  /** Starts it again, or ends it with 0 seconds. */
  start(seconds: number): void
  /** Ends it without `onEnd`, for example with the connection. */
  cancel(): void
}

/** `random`: 0 to 1, spreads the ends of many machines. `onEnd`: the machine may send again. */
export function openHold(random: () => number, onEnd: () => void): Hold {
  let timer: NodeJS.Timeout | undefined
  return {
    isOn: () => timer !== undefined,
    start(seconds) {
      // A call back to a machine that has returned already.
      if (seconds === 0 && !timer) return
      clearTimeout(timer)
      timer = setTimeout(
        () => {
          timer = undefined
          onEnd()
        },
        waitMsOf(seconds, random()),
      ).unref()
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
