/** Maximum letters of a report's name. */
export const mostNameLetters = 80

/** A name that its owner does not have yet: the name itself, or with a number. `taken` is in lower case. */
export function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : ` (${number})`
    const one = `${name.slice(0, mostNameLetters - ending.length).trim()}${ending}`
    if (!taken.includes(one.toLowerCase())) return one
  }
}
