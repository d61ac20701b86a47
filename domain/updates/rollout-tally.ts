import type { RolloutDirection } from '#contract/updates/rollout-kind.ts'
import type { RolloutMachineState } from '#contract/updates/rollout-state.ts'
import type { Tally } from './rollout.ts'

const none: Tally = {
  failed: 0,
  silent: 0,
  alarmed: 0,
  held: 0,
  sent: 0,
  watching: 0,
  waiting: 0,
  confirmed: 0,
  current: 0,
  left: 0,
  accepted: 0,
  received: 0,
  outbound: 0,
}

/** Machines of a rollout that are alike. */
export interface Counted {
  state: RolloutMachineState
  isAccepted: boolean
  /** The way of the machine; by default the rollout's. */
  direction?: RolloutDirection
  /** Whether the rollout has brought the new version to it. */
  hasReceived?: boolean
  count?: number
}

/** States of machines that return without having received the version: something may have gone wrong with it there. */
export const startedStates: readonly RolloutMachineState[] = ['watching', 'confirmed', 'failed', 'silent', 'alarmed']

/** Whether a machine goes back with its rollout: it has begun, or it has received the version at any time. */
const doesReturn = ({ state, hasReceived = false }: Pick<Counted, 'state' | 'hasReceived'>): boolean =>
  state !== 'sent' && (hasReceived || startedStates.includes(state))

/**
 * Machines counted by state; bad machines that a user accepted are counted as such only. On the way back only machines that return count, and
 * `outbound` are machines that still install the new version.
 */
export function tallyOf(machines: readonly Counted[], way: RolloutDirection = 'forward'): Tally {
  const tally: Record<keyof Tally, number> = { ...none }
  for (const { state, isAccepted, direction = way, hasReceived = false, count = 1 } of machines) {
    if (way === 'back' && direction === 'forward') {
      if (state === 'sent') tally.outbound += count
      continue
    }
    tally[isAccepted ? 'accepted' : state] += count
    if (way === 'forward' && !startedStates.includes(state) && doesReturn({ state, hasReceived }))
      tally.received += count
  }
  return tally
}
