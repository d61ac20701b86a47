import type { RolloutMachineState } from '#contract/updates/rollout-state.ts'
import type { Tally } from './rollout.ts'

const none: Tally = {
  ...{ failed: 0, silent: 0, alarmed: 0, held: 0, sent: 0, watching: 0, waiting: 0 },
  ...{ confirmed: 0, current: 0, left: 0, accepted: 0 },
}

/** Machines counted by state; bad machines that a user accepted are counted as such only. */
export function tallyOf(
  machines: readonly { state: RolloutMachineState; isAccepted: boolean; count?: number }[],
): Tally {
  const tally: Record<keyof Tally, number> = { ...none }
  for (const { state, isAccepted, count = 1 } of machines) tally[isAccepted ? 'accepted' : state] += count
  return tally
}
