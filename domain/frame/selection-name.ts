/*
 * Machines write a line as its number or with leading zeros: 4, 04 or 004. A sale has the number alone. All comparisons of selections by
 * different sources (sales, audits, reports, planograms) go through these rules.
 */

/** A selection with a number, without its leading zeros; undefined for any other name, such as A4. */
const numberOf = (selection: string): string | undefined =>
  /^\d+$/.test(selection) ? String(BigInt(selection)) : undefined

/** The names by which a machine may write a line, the plain number first; another name is only itself. */
export function namesOfLine(line: string): string[] {
  const number = numberOf(line)
  return number === undefined ? [line] : [...new Set([number, `0${number}`, `00${number}`, line])]
}

/**
 * The name by which `names` has a selection: exactly this one, otherwise the one with the same number. Undefined: it has none. `4` and `04` beside
 * each other are two selections, and each is only itself.
 */
export function nameAmong(selection: string, names: { has(name: string): boolean }): string | undefined {
  if (names.has(selection)) return selection
  return namesOfLine(selection).find((name) => names.has(name))
}
