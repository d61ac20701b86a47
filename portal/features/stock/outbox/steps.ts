import type { BrokenRule } from '#contract/frame/broken.ts'
import type { ClientInput } from '#contract/frame/endpoint.ts'
import type { rounds } from '#contract/stock/round.ts'
import type { NewVisit } from '#contract/stock/visit.ts'
import type { picking } from '#contract/warehouse/picking.ts'

/** Why the server refused a step; its user must change or discard it. */
export interface Refusal {
  code: string
  fields: Record<string, BrokenRule>
  facts: Record<string, unknown>
}

interface Kept {
  /** The same act has the same id, so it is kept and booked once. */
  id: string
  merchantId: string
  /** Who did it; another user of this phone does not send it. */
  userId: string
  /** Milliseconds since 1970; later steps have later times, whatever the phone's clock does. */
  keptAt: number
  refused: Refusal | null
}

export interface KeptVisit extends Kept {
  kind: 'visit'
  /** Null: outside of rounds; undefined: kept by an older version. */
  roundId?: string | null
  posId: string
  posName: string
  body: NewVisit
}

export interface KeptSkip extends Kept {
  kind: 'skip'
  roundId: string
  stopId: string
  posId: string
  posName: string
  body: ClientInput<typeof rounds.skipStop>['body']
}

export interface KeptPick extends Kept {
  kind: 'pick'
  roundId: string
  roundName: string
  body: ClientInput<typeof picking.pickRound>['body']
}

export interface KeptTurn extends Kept {
  kind: 'start' | 'finish'
  roundId: string
  roundName: string
}

/** What a technician did and the server does not have yet. */
export type KeptStep = KeptVisit | KeptSkip | KeptPick | KeptTurn

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** A step before it is kept. */
export type NewStep = Without<KeptStep, 'userId' | 'keptAt' | 'refused'>

/** The machine or the round of a step. */
export const subjectOf = (step: KeptStep) => ('posName' in step ? step.posName : step.roundName)

const machineOf = (step: KeptStep) => ('posId' in step ? step.posId : undefined)

/**
 * Whether a step waits for an earlier one. Steps at one machine keep their order, and what happens on a round follows its start. A round ends
 * when the server has all else of it, also what must be corrected first.
 */
function waitsFor(step: KeptStep, earlier: KeptStep): boolean {
  const isSameRound = earlier.roundId === step.roundId
  if (step.kind === 'finish') return isSameRound || earlier.roundId === undefined
  if (earlier.refused) return false
  const machine = machineOf(step)
  return (machine !== undefined && machine === machineOf(earlier)) || (earlier.kind === 'start' && isSameRound)
}

/** The step to send next, of steps in order of time; undefined when all others wait. `failed`: ids that are tried again later. */
export const nextStep = (steps: readonly KeptStep[], failed: ReadonlySet<string> = new Set()): KeptStep | undefined =>
  steps.find(
    (step, at) =>
      !step.refused && !failed.has(step.id) && !steps.slice(0, at).some((earlier) => waitsFor(step, earlier)),
  )

/** Rounds that do not end before a refused step is corrected or discarded. */
export const isHeldUp = (steps: readonly KeptStep[]): boolean =>
  steps.some(
    (step, at) =>
      step.kind === 'finish' && steps.slice(0, at).some((earlier) => earlier.refused && waitsFor(step, earlier)),
  )
