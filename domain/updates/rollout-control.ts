import { type RolloutCommand, rolloutCommands } from '#contract/updates/rollout.ts'
import type { RuleTarget } from '#contract/updates/update-rule.ts'
import type { Rollout, Tally } from './rollout.ts'

/** Machines that have received the new version at any time, or were harmed by it: they would return to the version before. */
export const returningOf = (tally: Tally): number =>
  tally.watching + tally.confirmed + tally.failed + tally.silent + tally.alarmed + tally.accepted + tally.received

const isRetryable = (tally: Tally) => tally.failed + tally.silent + tally.alarmed + tally.accepted + tally.held > 0

/** Whether users may do something with a rollout in its state. */
export function isPossible(command: RolloutCommand, { state, direction }: Rollout, tally: Tally): boolean {
  const isOpen = state === 'running' || state === 'paused' || state === 'halted' || state === 'complete'
  switch (command) {
    case 'start':
      return state === 'draft'
    case 'pause':
      return state === 'running'
    case 'resume':
      return state === 'paused' || state === 'halted'
    case 'halt':
      return state === 'running' || state === 'paused'
    case 'retry':
      return isOpen && isRetryable(tally)
    case 'back':
      return isOpen && direction === 'forward' && returningOf(tally) > 0
    case 'end':
      return isOpen
  }
}

export const possibleCommands = (rollout: Rollout, tally: Tally): RolloutCommand[] =>
  rolloutCommands.filter((command) => isPossible(command, rollout, tally))

/** Whether users of some groups may change a rule: all its machines are in their groups. `groups` null: all groups. */
export function isOwnRule(
  { target, withinGroups }: { target: RuleTarget; withinGroups: readonly string[] | null },
  groups: readonly string[] | null,
): boolean {
  if (groups === null) return true
  const isOwn = (ids: readonly string[]) => ids.every((id) => groups.includes(id))
  return (withinGroups !== null && isOwn(withinGroups)) || (target.by === 'groups' && isOwn(target.groupIds))
}
