import { bySelection } from '#domain/stock/stock.ts'

/** The tray of a selection in a machine's front: the letter before its number, or the digits before its place. */
export function trayOf(selection: string): string {
  const [letters] = /^\p{L}+/u.exec(selection) ?? []
  if (letters) return letters.toLocaleUpperCase()
  const [digits = selection] = /^\d+/.exec(selection) ?? []
  if (digits.length < 2) return ''
  return digits.slice(0, Math.max(1, digits.length - 2))
}

/** Selections as a machine shows them: trays from top to bottom, places from left to right. */
export const traysOf = <T extends { selection: string }>(lines: readonly T[]): { tray: string; places: T[] }[] =>
  [...Map.groupBy(lines, ({ selection }) => trayOf(selection))]
    .map(([tray, places]) => ({
      tray,
      places: places.toSorted((one, other) => bySelection(one.selection, other.selection)),
    }))
    .sort((one, other) => bySelection(one.tray, other.tray))
