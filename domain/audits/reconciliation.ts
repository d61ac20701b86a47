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

/** Two sides match when pieces and money do. A half that one side does not report is unknown. */
export function compare(audited: Quantity, other: Quantity): { difference: Quantity; state: Agreement } {
  const difference = { count: minus(audited.count, other.count), value: minus(audited.value, other.value) }
  const differences = [difference.count, difference.value].filter((each) => each !== null)
  return {
    difference,
    state: differences.length === 0 ? 'unknown' : differences.some((each) => each !== 0) ? 'differs' : 'agrees',
  }
}

export type Sides = Record<ReconciliationLineName, { audited: Quantity; other: Quantity }>

const names = Object.keys(reconciliationLines) as ReconciliationLineName[]

/** The lines of a comparison, in order. Lines that neither side reports are omitted, except the sales. */
export const compareAll = (sides: Sides): Compared[] =>
  names
    .filter((name) => {
      const { audited, other } = sides[name]
      return name === 'sales' || [audited.count, audited.value, other.count, other.value].some((each) => each !== null)
    })
    .map((name) => ({ name, ...sides[name], ...compare(sides[name].audited, sides[name].other) }))
