import { mostPieces } from '#contract/stock/pieces.ts'

/** What a selection has and takes. Null: unknown. */
export interface Held {
  level: number | null
  capacity: number | null
}

/** What somebody did with a selection, in this order: counted it, took waste out, loaded it. Null: not counted. */
export interface Handling {
  counted: number | null
  waste: number
  loaded: number
}

export interface Excess {
  field: keyof Handling
  /** The largest number that is possible. */
  most: number
}

/**
 * The largest numbers that a selection takes: a count fits into it, waste was in it, and a load fits beside the rest. A level above the
 * capacity, from an older planogram, may be counted. Where the level is unknown, only the capacity is a limit.
 */
export function mostOf(
  { level, capacity }: Held,
  { counted, waste }: Omit<Handling, 'loaded'>,
): Record<keyof Handling, number> {
  const room = capacity ?? mostPieces
  const there = counted ?? level
  return {
    counted: Math.max(room, level ?? 0),
    waste: there ?? room,
    loaded: there === null ? room : Math.max(0, room - Math.max(0, there - waste)),
  }
}

/** The first number that is impossible; null: all of them are possible. */
export function excessOf(held: Held, handling: Handling): Excess | null {
  const most = mostOf(held, handling)
  for (const field of ['counted', 'waste', 'loaded'] as const)
    if ((handling[field] ?? 0) > most[field]) return { field, most: most[field] }
  return null
}
