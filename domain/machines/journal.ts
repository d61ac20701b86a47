/*
 * Which of a machine's numbered items are stored: stretches of sequence numbers, both ends included, in order and apart from
 * each other. The database keeps them as an int8multirange.
 */

export type SequenceRange = readonly [from: number, to: number]
export type Seen = readonly SequenceRange[]

/** Reads PostgreSQL's text of an int8multirange, `{[1,5),[7,9)}`, whose upper ends are not included. */
export function parseSeen(text: string): Seen {
  const seen: SequenceRange[] = []
  for (const [, from, to] of text.matchAll(/\[(\d+),(\d+)\)/g)) seen.push([Number(from), Number(to) - 1])
  return seen
}

export const formatSeen = (seen: Seen): string => `{${seen.map(([from, to]) => `[${from},${to + 1})`).join(',')}}`

/** Whether a number is among the stored ones. */
export function isSeen(seen: Seen, seq: number): boolean {
  let low = 0
  let high = seen.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [from, to] = seen[middle] as SequenceRange
    if (seq < from) high = middle - 1
    else if (seq > to) low = middle + 1
    else return true
  }
  return false
}

/** Adds stretches, in any order and overlapping as they like. */
export function addRanges(seen: Seen, added: readonly SequenceRange[]): Seen {
  const all = [...seen, ...added].sort(([one], [other]) => one - other)
  const merged: [number, number][] = []
  for (const [from, to] of all) {
    const last = merged.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Adds arriving numbers: which are new (a repeated number is new once), and which are then stored. */
export function take(seen: Seen, seqs: readonly number[]): { seen: Seen; isNew: boolean[] } {
  const fresh = new Set<number>()
  const isNew = seqs.map((seq) => {
    if (fresh.has(seq) || isSeen(seen, seq)) return false
    fresh.add(seq)
    return true
  })
  if (fresh.size === 0) return { seen, isNew }
  return {
    seen: addRanges(
      seen,
      [...fresh].map((seq) => [seq, seq] as const),
    ),
    isNew,
  }
}

/** Every item up to and with this number is stored. */
export const committed = (seen: Seen): number => (seen[0]?.[0] === 1 ? seen[0][1] : 0)

/** The highest number that is stored. */
export const highest = (seen: Seen): number => seen.at(-1)?.[1] ?? 0

/** The first ranges that are not stored, up to the highest stored number or the machine's last number. */
export function missing(seen: Seen, given: number, limit: number): [number, number][] {
  const gaps: [number, number][] = []
  let next = 1
  for (const [from, to] of seen) {
    if (gaps.length === limit) return gaps
    if (from > next) gaps.push([next, from - 1])
    next = to + 1
  }
  if (given >= next && gaps.length < limit) gaps.push([next, given])
  return gaps
}
