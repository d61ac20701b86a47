import type { RolloutStep } from '#contract/updates/rollout-state.ts'
import {
  decide,
  membersOf,
  neededOf,
  type Rollout,
  type RolloutPlan,
  sizeOf,
  startedOf,
  type Tally,
} from './rollout.ts'
import { windowAt } from './rollout-window.ts'

/** What happens next: at an instant, or as soon as so many machines have done their part. */
export interface NextStep {
  step: RolloutStep
  at: Date | null
  machines: number
}

const step = (name: RolloutStep, machines = 0, at: Date | null = null): NextStep => ({ step: name, at, machines })

/**
 * The steps to come, the nearest first. `watchedUntil` is the earliest end of a watch, `ready` the number of waiting machines that only
 * the window or the cohort holds, `usualMinutes` the usual time of this update.
 */
export function nextSteps(
  plan: RolloutPlan,
  rollout: Rollout,
  tally: Tally,
  facts: { timeZone: string; watchedUntil: Date | null; ready: number; usualMinutes: number },
  now: Date,
): NextStep[] {
  const { state, cohort } = rollout
  if (state === 'draft') return [step('start', membersOf(tally))]
  if (state === 'ended') return [step('none')]
  const steps: NextStep[] = []
  if (tally.sent > 0) steps.push(step('report', tally.sent))
  if (tally.watching > 0) steps.push(step('health', tally.watching, facts.watchedUntil))
  if (state === 'halted') return [step('decide'), ...steps]
  if (state === 'paused') return [step('resume'), ...steps]
  const decision = decide(plan, rollout, tally)
  if (decision.kind === 'complete' || state === 'complete') return [step('follow')]
  const room = decision.kind === 'go' ? Math.min(decision.room, tally.waiting) : 0
  if (room > 0) {
    const next = windowAt(plan.installWindow, facts.timeZone, now, facts.usualMinutes)
    const starting = Math.min(room, facts.ready)
    if (starting === 0) steps.unshift(step('contact', tally.waiting))
    else if (next && next.opensAt > now) steps.unshift(step('window', starting, next.opensAt))
    else steps.unshift(step('install', starting))
  }
  const open = plan.cohorts[cohort]
  const later = plan.cohorts[cohort + 1]
  if (open && later) {
    const members = membersOf(tally)
    const missing = neededOf(plan, tally, sizeOf(open, members)) - tally.confirmed
    const more = Math.max(0, sizeOf(later, members) - Math.max(startedOf(tally), sizeOf(open, members)))
    if (missing > 0 && more > 0) steps.push(step('nextCohort', more))
  }
  return steps.length > 0 ? steps : [step('contact', tally.waiting + tally.held)]
}
