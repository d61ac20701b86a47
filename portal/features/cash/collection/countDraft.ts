import { type CollectionLine, mostPieces, type Pieces } from '#contract/cash/collection.ts'

/** The typed pieces by denomination. An empty field is no piece. */
export type Draft = ReadonlyMap<number, string>

/** Pieces of a typed text; undefined if it is no whole number from 0 to a million. */
export function readPieces(text: string): number | undefined {
  const typed = text.replaceAll(/[\s.,'’]/g, '')
  if (typed === '') return 0
  return /^\d{1,7}$/.test(typed) && Number(typed) <= mostPieces ? Number(typed) : undefined
}

/** The fields for a count as it is stored. */
export const draftOf = (lines: readonly CollectionLine[]): Draft =>
  new Map(lines.flatMap(({ value, counted }) => (counted ? [[value, String(counted)] as const] : [])))

/** The pieces of a draft; undefined while a field cannot be read. */
export function piecesIn(draft: Draft): Pieces[] | undefined {
  const pieces: Pieces[] = []
  for (const [value, text] of draft) {
    const count = readPieces(text)
    if (count === undefined) return undefined
    if (count > 0) pieces.push({ value, count })
  }
  return pieces
}

/** The field that a key leads to: Enter and the arrows move along the denominations. Undefined if the key moves nothing. */
export function fieldAfter(key: string, at: number, fields: number): number | undefined {
  if (key === 'Enter' || key === 'ArrowDown') return Math.min(at + 1, fields)
  return key === 'ArrowUp' ? Math.max(at - 1, 0) : undefined
}
