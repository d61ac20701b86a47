import type { RolloutMachineState, RolloutReason } from '#contract/vocabulary/rollout.ts'
import { decide, type Rollout, type RolloutPlan, type Tally } from './rollout.ts'
import { hindranceOf, type MachineInFlight, outcomeOf, type WaitingMachine } from './rollout-machine.ts'

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

/** A machine of a rollout, with all that decides about it. */
export interface RolloutMember {
  id: string
  state: RolloutMachineState
  reason: RolloutReason | null
  isAccepted: boolean
  flight: Omit<MachineInFlight, 'state'>
  waiting: WaitingMachine
}

/** The whole of one minute: outcomes of the machines, then the decision, then the machines that start, in their order. */
export function stepOf(plan: RolloutPlan, rollout: Rollout, machines: readonly RolloutMember[], now: Date) {
  const outcomes = new Map(
    machines.flatMap(({ id, state, flight }) => {
      const outcome = state === 'sent' || state === 'watching' ? outcomeOf({ ...flight, state }, plan, now) : null
      return outcome ? [[id, outcome] as const] : []
    }),
  )
  const after = machines.map((machine) => ({ ...machine, ...outcomes.get(machine.id) }))
  const decision = decide(plan, rollout, tallyOf(after))
  const starts =
    decision.kind === 'go'
      ? after
          .filter((machine) => machine.state === 'waiting' && !hindranceOf(machine.waiting, plan, now))
          .slice(0, decision.room)
          .map(({ id }) => id)
      : []
  return { outcomes, decision, starts }
}
