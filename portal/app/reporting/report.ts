/** An error, reported to the operator of the deployment. */
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

/** The maximum number of errors queued until the reporter has loaded; further errors are dropped. */
const mostWaiting = 20
let isOn = false
let send: ((report: Report) => void) | undefined
const waiting: Report[] = []

/** Reports an error, if the deployment has a reporter; else it does nothing. */
export function report(one: Report) {
  if (send) send(one)
  else if (isOn && waiting.length < mostWaiting) waiting.push(one)
}

/** Starts to queue errors until a reporter takes them. */
export const keepReports = () => {
  isOn = true
}

/** Takes the queued errors, and all later ones. */
export function takeReports(taker: (report: Report) => void) {
  send = taker
  for (const one of waiting.splice(0)) taker(one)
}
