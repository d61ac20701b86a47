/** An enumeration on the wire and in tables: each name with its number. */
export type Numbers = Readonly<Record<string, number>>

/** The names of an enumeration by number; of a number without a name, undefined. */
export const namesOf = <T extends Numbers>(
  numbers: T,
): Readonly<Record<number, Extract<keyof T, string> | undefined>> =>
  Object.fromEntries(Object.entries(numbers).map(([name, number]) => [number, name as Extract<keyof T, string>]))

/** The name of a number in an enumeration; undefined for a number without one. */
export function nameOf<T extends Numbers>(numbers: T, number: T[keyof T]): Extract<keyof T, string>
export function nameOf<T extends Numbers>(
  numbers: T,
  number: number | string | null | undefined,
): Extract<keyof T, string> | undefined
export function nameOf(numbers: Numbers, number: number | string | null | undefined): string | undefined {
  return Object.keys(numbers).find((name) => String(numbers[name]) === String(number))
}
