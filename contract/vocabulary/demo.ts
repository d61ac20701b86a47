/** A demo's state: running, ending within `demoWarningDays`, or ended. */
export const demoStates = ['running', 'ending', 'ended'] as const
export type DemoState = (typeof demoStates)[number]
/** Days before its end at which a demo shows a notice. */
export const demoWarningDays = 14

/** The state of a demo by its remaining days, 0 on the last one; none without an end. */
export const demoStateOf = (daysLeft: number | null): DemoState | undefined => {
  if (daysLeft === null) return undefined
  if (daysLeft < 0) return 'ended'
  return daysLeft <= demoWarningDays ? 'ending' : 'running'
}
