/*
 * Which of a machine's numbered items are stored: stretches of sequence numbers, both ends included, in order and apart from
 * each other. The database keeps them as an int8multirange.
 */

export type SequenceRange = readonly [from: number, to: number]
export type Seen = readonly SequenceRange[]

/** Reads PostgreSQL's text of an int8multirange, `{[1,5),[7,9)}`, whose upper ends are not included. */
export function parseSeen(text: string): Seen {
  const ranges: SequenceRange[] = []
  for (const [, from, to] of text.matchAll(/\[(\d+),(\d+)\)/g)) ranges.push([Number(from), Number(to) - 1])
  return ranges
}

export const formatSeen = (ranges: Seen): string => `{${ranges.map(([from, to]) => `[${from},${to + 1})`).join(',')}}`

/** Whether a number is among the stored ones. */
export function isSeen(ranges: Seen, seq: number): boolean {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [from, to] = ranges[middle] as SequenceRange
    if (seq < from) high = middle - 1
    else if (seq > to) low = middle + 1
    else return true
  }
  return false
}

/** Adds stretches, in any order and overlapping as they like. */
export function addRanges(ranges: Seen, added: readonly SequenceRange[]): Seen {
  const all = [...ranges, ...added].sort(([one], [other]) => one - other)
  const merged: [number, number][] = []
  for (const [from, to] of all) {
    const last = merged.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Adds arriving numbers: which are new (a repeated number is new once), and which are then stored. */
export function take(ranges: Seen, seqs: readonly number[]): { seen: Seen; isNew: boolean[] } {
  const fresh = new Set<number>()
  const isNew = seqs.map((seq) => {
    if (fresh.has(seq) || isSeen(ranges, seq)) return false
    fresh.add(seq)
    return true
  })
  if (fresh.size === 0) return { seen: ranges, isNew }
  return {
    seen: addRanges(
      ranges,
      [...fresh].map((seq) => [seq, seq] as const),
    ),
    isNew,
  }
}

/** Every item up to and with this number is stored. */
export const committed = (ranges: Seen): number => (ranges[0]?.[0] === 1 ? ranges[0][1] : 0)

/** The highest number that is stored. */
export const highest = (ranges: Seen): number => ranges.at(-1)?.[1] ?? 0

/** The first ranges that are not stored, up to the highest stored number or the machine's last number. */
export function missing(ranges: Seen, lastSeq: number, limit: number): [number, number][] {
  const gaps: [number, number][] = []
  let next = 1
  for (const [from, to] of ranges) {
    if (gaps.length === limit) return gaps
    if (from > next) gaps.push([next, from - 1])
    next = to + 1
  }
  if (lastSeq >= next && gaps.length < limit) gaps.push([next, lastSeq])
  return gaps
}
