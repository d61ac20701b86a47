/**
 * Places in PostgreSQL's write-ahead log: bytes since its begin, as the server writes them (`0/2000028`) and as names of its files have them.
 * Source: PostgreSQL, "Write-Ahead Log Internals".
 */

/** Reads `0/2000028`. */
export function placeOf(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new Error(`${JSON.stringify(text)} is no place in the log.`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

const hex = (number: bigint | number, digits: number) => number.toString(16).toUpperCase().padStart(digits, '0')

export const placeText = (place: bigint): string => `${hex(place >> 32n, 1)}/${hex(place & 0xffffffffn, 1)}`

/** The name of the file of the log that holds a place, on a timeline, with files of `segmentBytes`. */
export function segmentName(timeline: number, place: bigint, segmentBytes: number): string {
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes)
  const segment = place / BigInt(segmentBytes)
  return hex(timeline, 8) + hex(segment / perHigh, 8) + hex(segment % perHigh, 8)
}

/** The begin of the file that holds a place. */
export const segmentStart = (place: bigint, segmentBytes: number): bigint => place - (place % BigInt(segmentBytes))

/** A stored piece of the log: from `start`, included, to `end`, excluded, and when it was stored. */
export interface Piece {
  timeline: number
  start: bigint
  end: bigint
  savedAt: Date
}

/** The name of a piece; names of a timeline sort by place. */
export const pieceName = ({ timeline, start, end, savedAt }: Piece): string =>
  `${hex(timeline, 8)}/${hex(start, 16)}-${hex(end, 16)}-${savedAt.getTime()}`

/** Reads the name of a piece; undefined if it is none. */
export function pieceOf(name: string): Piece | undefined {
  const [, timeline, start, end, at] = /^([0-9A-F]{8})\/([0-9A-F]{16})-([0-9A-F]{16})-(\d{1,15})$/.exec(name) ?? []
  if (timeline === undefined || at === undefined) return undefined
  return {
    timeline: Number.parseInt(timeline, 16),
    start: BigInt(`0x${start}`),
    end: BigInt(`0x${end}`),
    savedAt: new Date(Number(at)),
  }
}

/**
 * The pieces of a timeline that follow each other from a place without a hole, and where they end. Pieces may overlap: after a stop the log is
 * read again from a place that was stored. `beyond`: the first place that is stored behind a hole.
 */
export function chainOf(
  pieces: readonly Piece[],
  from: bigint,
): { chain: Piece[]; end: bigint; beyond: bigint | undefined } {
  const ordered = pieces.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.end > b.end ? -1 : 1))
  const chain: Piece[] = []
  let end = from
  for (const piece of ordered) {
    if (piece.end <= end) continue
    if (piece.start > end) return { chain, end, beyond: piece.start }
    chain.push(piece)
    end = piece.end
  }
  return { chain, end, beyond: undefined }
}
