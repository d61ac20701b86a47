import type { Round, RoundStop } from '#contract/stock/round.ts'
import type { RoundPicking } from '#contract/warehouse/picking.ts'
import { isClosed } from '#domain/stock/round.ts'
import type { KeptPick, KeptSkip, KeptStep } from './steps.ts'

/** A round with what is kept of it on this phone. */
export interface RoundHere {
  round: Round
  /** Stops whose visit, or whose skipping, the server does not have. */
  keptStopIds: ReadonlySet<string>
  /** Its start or its end is only on this phone. */
  isTurnKept: boolean
}

const skippedAs = (stop: RoundStop, { body }: Pick<KeptSkip, 'body'>): RoundStop => ({
  ...stop,
  status: 'skipped',
  skipReason: body.reason,
  skipNote: body.note ?? null,
})

/** Shows a round as its technician left it. What the server has meanwhile comes first. */
export function withKept(round: Round, steps: readonly KeptStep[]): RoundHere {
  const waiting = steps.filter(({ roundId, refused }) => roundId === round.id && !refused)
  // A refused visit happened anyway.
  const visited = new Set(steps.flatMap((step) => (step.kind === 'visit' ? (step.body.stopId ?? []) : [])))
  const skips = new Map(waiting.flatMap((step) => (step.kind === 'skip' ? [[step.stopId, step] as const] : [])))
  const isOver = isClosed(round.status)
  const isFinished = !isOver && waiting.some(({ kind }) => kind === 'finish')
  const isStarted = round.status === 'planned' && waiting.some(({ kind }) => kind === 'start' || kind === 'visit')
  const keptStopIds = new Set<string>()
  const stopList = round.stopList.map((stop): RoundStop => {
    if (stop.status !== 'open') return stop
    const skip = skips.get(stop.id)
    if (visited.has(stop.id) || skip) keptStopIds.add(stop.id)
    if (visited.has(stop.id)) return { ...stop, status: 'done' }
    if (skip) return skippedAs(stop, skip)
    return isFinished ? { ...stop, status: 'skipped', skipReason: 'roundFinished' } : stop
  })
  /** Stops that this phone has closed, and the server has not. */
  const closed = (status: RoundStop['status']) =>
    stopList.filter((stop, at) => stop.status === status && round.stopList[at]?.status === 'open').length
  return {
    round: {
      ...round,
      status: isFinished ? 'done' : isStarted ? 'underway' : round.status,
      stopsDone: round.stopsDone + closed('done'),
      stopsSkipped: round.stopsSkipped + closed('skipped'),
      stopList,
    },
    keptStopIds,
    isTurnKept: isFinished || (isStarted && waiting.some(({ kind }) => kind === 'start')),
  }
}

/** What is left to bring from a warehouse into the van of a round, after the pickings that are not sent. */
export function withPicked(
  answer: RoundPicking,
  { steps, roundId, stockPlaceId }: { steps: readonly KeptStep[]; roundId: string; stockPlaceId: string },
): RoundPicking {
  const picks = steps.filter(
    (step): step is KeptPick => step.kind === 'pick' && step.roundId === roundId && !step.refused,
  )
  const picked = (productId: string, some: readonly KeptPick[]) =>
    some
      .flatMap(({ body }) => body.lines)
      .reduce((sum, line) => sum + (line.productId === productId ? line.pieces : 0), 0)
  const here = picks.filter(({ body }) => body.stockPlaceId === stockPlaceId)
  return {
    ...answer,
    lines: answer.lines.map((line) => ({
      ...line,
      inVan: line.inVan + picked(line.productId, picks),
      toPick: Math.max(0, line.toPick - picked(line.productId, picks)),
      has: Math.max(0, line.has - picked(line.productId, here)),
    })),
  }
}
