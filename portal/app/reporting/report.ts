/** Something that went wrong, for whoever runs the deployment. */
export type Report =
  | { kind: 'error'; error: unknown }
  | {
      kind: 'call'
      /** The row's path, whose ids are names in braces. */
      path: string
      method: string
      code: string
      status: number
      requestId: string | undefined
    }

/** What happens before the reporting has come, and more than that is lost. */
const mostWaiting = 20
let isOn = false
let send: ((report: Report) => void) | undefined
const waiting: Report[] = []

/** Tells what went wrong, where the deployment wants to know it; elsewhere it does nothing. */
export function report(one: Report) {
  if (send) send(one)
  else if (isOn && waiting.length < mostWaiting) waiting.push(one)
}

/** From here on what goes wrong is kept, until somebody takes it. */
export const keepReports = () => {
  isOn = true
}

/** Takes what went wrong so far, and everything from now on. */
export function takeReports(taker: (report: Report) => void) {
  send = taker
  for (const one of waiting.splice(0)) taker(one)
}
