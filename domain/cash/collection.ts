import { type CollectionSource, collectionSources } from '#contract/vocabulary/cash.ts'

/*
 * Which reports belong to one collection. A machine, its counters, its cash devices and the technician each report the same event in their own
 * way, at their own time and in any order.
 */

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Sources further apart are different collections. */
export const sameCollectionMs = 12 * hourMs
/** One event may be reported twice: two boxes are two transactions, an audit is read again, a button is tapped on two phones. */
export const sameReportMs = 30 * minuteMs

export interface SourceOfCollection {
  kind: CollectionSource
  id: string
  /** Milliseconds. */
  at: number
  /** The box was taken between `since` and `at`; equal unless the source is a cash reading. */
  since: number
  bagNumber: string | null
  /** Its collection, if that one is fixed: somebody has counted it or typed its bag number. */
  pinnedTo: string | null
}

const inOrder = (one: SourceOfCollection, other: SourceOfCollection) =>
  one.at - other.at || (one.kind + one.id < other.kind + other.id ? -1 : 1)

/** The time that two sources cannot share; 0 if the box may have been taken at the same moment. */
const gapBetween = (one: SourceOfCollection, other: SourceOfCollection) =>
  Math.max(0, Math.max(one.since, other.since) - Math.min(one.at, other.at))

function mayBeOne(one: SourceOfCollection, other: SourceOfCollection): boolean {
  if (one.pinnedTo && other.pinnedTo) return one.pinnedTo === other.pinnedTo
  if (one.bagNumber && other.bagNumber && one.bagNumber !== other.bagNumber) return false
  // A box that is emptied in two reports was taken twice.
  if (one.kind === other.kind) return one.kind !== 'reading' && gapBetween(one, other) <= sameReportMs
  return gapBetween(one, other) <= sameCollectionMs
}

/**
 * Groups a machine's sources into collections, in order of time. The closest are joined first, and only neighbours: no other collection is
 * between them. The result depends on the set of sources alone, not on the order in which they arrived.
 */
export function collectionsOf(sources: readonly SourceOfCollection[]): SourceOfCollection[][] {
  const pinned = Map.groupBy(
    sources.filter(({ pinnedTo }) => pinnedTo),
    ({ pinnedTo }) => pinnedTo,
  )
  const groups = [
    ...[...pinned.values()].map((group) => group.toSorted(inOrder)),
    ...sources.filter(({ pinnedTo }) => !pinnedTo).map((source) => [source]),
  ].sort(([one], [other]) => inOrder(one as SourceOfCollection, other as SourceOfCollection))
  for (;;) {
    let best = -1
    let distance = Number.POSITIVE_INFINITY
    for (let index = 0; index + 1 < groups.length; index++) {
      const group = groups[index] ?? []
      const next = groups[index + 1] ?? []
      const gap = Math.min(...group.flatMap((one) => next.map((other) => gapBetween(one, other))))
      if (gap < distance && group.every((one) => next.every((other) => mayBeOne(one, other))))
        [best, distance] = [index, gap]
    }
    if (best < 0) return groups
    groups.splice(best, 2, [...(groups[best] ?? []), ...(groups[best + 1] ?? [])].sort(inOrder))
  }
}

/** When the box was taken: the earliest of the most exact sources, which the vocabulary names first. */
export function takenAt(group: readonly SourceOfCollection[]): number {
  const kind = collectionSources.find((one) => group.some((source) => source.kind === one))
  return Math.min(...group.filter((source) => source.kind === kind).map(({ at }) => at))
}

/** The last collection audit; null without one. */
export function auditedAt(group: readonly SourceOfCollection[]): number | null {
  const audits = group.filter(({ kind }) => kind === 'audit').map(({ at }) => at)
  return audits.length === 0 ? null : Math.max(...audits)
}

/**
 * Whether a cash box was emptied between two reports, in minor units. Money only leaves a box when somebody takes it; a small fall is
 * a correction by the machine. A box that has partly filled again has fallen too.
 */
export const isEmptied = (before: number, now: number, realAmount: number): boolean => before - now >= realAmount
