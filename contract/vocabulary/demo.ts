/** A demo's state: running, ending within `demoWarningDays`, or ended. */
export const demoStates = ['running', 'ending', 'ended'] as const
export type DemoState = (typeof demoStates)[number]
/** So many days before its end a demo says so. */
export const demoWarningDays = 14

/** The state of who has so many days left, 0 on the last one; of who has no end to count to there is none. */
export const demoStateOf = (daysLeft: number | null): DemoState | undefined => {
  if (daysLeft === null) return undefined
  if (daysLeft < 0) return 'ended'
  return daysLeft <= demoWarningDays ? 'ending' : 'running'
}
