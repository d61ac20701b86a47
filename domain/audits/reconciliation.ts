import type { Agreement, ReconciliationLineName } from '#contract/vocabulary/audit.ts'
import { reconciliationLines } from '#contract/vocabulary/audit.ts'

export interface Quantity {
  count: number | null
  value: number | null
}

export interface Compared {
  name: ReconciliationLineName
  audited: Quantity
  other: Quantity
  difference: Quantity
  state: Agreement
}

const minus = (left: number | null, right: number | null) => (left === null || right === null ? null : left - right)

/** Two sides agree when pieces and money do; where one side is silent nothing can be said of that half. */
export function compare(audited: Quantity, other: Quantity): { difference: Quantity; state: Agreement } {
  const difference = { count: minus(audited.count, other.count), value: minus(audited.value, other.value) }
  const known = [difference.count, difference.value].filter((each) => each !== null)
  return { difference, state: known.length === 0 ? 'unknown' : known.some((each) => each !== 0) ? 'differs' : 'agrees' }
}

export type Sides = Record<ReconciliationLineName, { audited: Quantity; other: Quantity }>

const names = Object.keys(reconciliationLines) as ReconciliationLineName[]

/** The lines of a comparison, in their order; those of which neither side says anything are left out, but for the sales. */
export const compareAll = (sides: Sides): Compared[] =>
  names
    .filter((name) => {
      const { audited, other } = sides[name]
      return name === 'sales' || [audited.count, audited.value, other.count, other.value].some((each) => each !== null)
    })
    .map((name) => ({ name, ...sides[name], ...compare(sides[name].audited, sides[name].other) }))
