/*
 * Widths of table columns in points. Only words of users are long without a limit, so a table measures its texts and always fits its page.
 */

interface Column {
  heading: string
  /** Its part of the room that other columns leave; otherwise it is as wide as its content. */
  share?: number
}

export const cellPadding = 6
/** At least so much room for all columns with a share, each. */
const leastShared = 80

/** Widths of signs in em, a little wider than they are. */
const emOf = (sign: string): number => {
  if (/[\s.,:;'’!|ijlI()[\]-]/.test(sign)) return 0.3
  if (/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[\ud800-\udfff]/.test(sign)) return 1
  if (/[mwMW@%—]/.test(sign)) return 0.92
  if (/\d/.test(sign)) return 0.58
  return /[\p{Lu}&_€$£]/u.test(sign) ? 0.68 : 0.57
}

/** The width of a text's longest line in points. */
export const widthOf = (text: string, size: number): number =>
  Math.max(...text.split('\n').map((line) => [...line].reduce((sum, sign) => sum + emOf(sign), 0) * size))

/** Limits widths to a sum: the widest give way first. */
export function limited(widths: readonly number[], sum: number): number[] {
  const result: number[] = []
  let left = sum
  const rising = widths.map((width, at) => ({ width, at })).sort((one, other) => one.width - other.width)
  rising.forEach(({ width, at }, done) => {
    const columnWidth = Math.min(width, left / (rising.length - done))
    result[at] = columnWidth
    left -= columnWidth
  })
  return result
}

/** The width of each column without its padding; together with it they are at most `pageWidth`, and all of it where a column has a share. */
export function columnWidths(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { pageWidth, fontSize, headingSize }: { pageWidth: number; fontSize: number; headingSize: number },
): number[] {
  const room = pageWidth - 2 * cellPadding * columns.length
  const natural = columns.map(({ heading }, at) =>
    Math.max(widthOf(heading, headingSize), ...rows.map((row) => widthOf(row[at] ?? '', fontSize))),
  )
  const isShort = columns.map(({ share }) => share === undefined)
  const shares = columns.reduce((sum, { share = 0 }) => sum + share, 0)
  const growing = columns.length - isShort.filter(Boolean).length
  const short = limited(
    natural.filter((_, at) => isShort[at]),
    Math.max(room / 2, room - leastShared * growing),
  )
  const left = room - short.reduce((sum, width) => sum + width, 0)
  return columns.map(({ share }) => (share === undefined ? (short.shift() ?? 0) : (left * share) / shares))
}
