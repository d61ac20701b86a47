import type { AuditContent, AuditSelection } from '#contract/audits/audit-content.ts'
import type { Elements } from './elements.ts'

/*
 * What the blocks of one report fill in, before lists are cut to size and the identities drawn.
 */

type Cash = AuditContent['cash']
export type DraftSelection = Omit<AuditSelection, 'payments'> & {
  payments: Map<string, AuditSelection['payments'][number]>
}

/** The rows of coin and bill types read so far, by block. */
type TypeRows = Map<string, { rows: number; written: Set<string>; byValue: Map<number | null, number> }>

export type Draft = Pick<
  AuditContent,
  'identity' | 'sales' | 'payments' | 'priceRows' | 'events' | 'eventCounters' | 'reads' | 'countersBeganAt'
> &
  Pick<AuditContent, 'powerOutages' | 'makerRows'> & {
    cash: Omit<Cash, 'tubes' | 'coins' | 'bills' | 'recyclerBills'>
    peripherals: Map<string, AuditContent['peripherals'][number]>
    tubes: Map<string, Cash['tubes'][number]>
    /** Coin and bill types by their value and their place among the types of that value. */
    coins: Map<string, Cash['coins'][number]>
    bills: Map<string, Cash['bills'][number]>
    recyclerBills: Map<string, Cash['recyclerBills'][number]>
    typeRows: TypeRows
    selections: Map<string, DraftSelection>
    /** The selection of the last PA1, to which the PA2 … PA5 below it belong. */
    current: DraftSelection | null
  }

export const emptyDraft = (): Draft => ({
  identity: {
    serial: null,
    model: null,
    build: null,
    location: null,
    assetNumber: null,
    controlBoard: null,
    clock: null,
    dstRule: null,
  },
  sales: { paid: null, discounts: null, surcharges: null, test: null, free: null },
  payments: { cash: null, cashless1: null, cashless2: null, vendTokens: null, valueTokens: null },
  cash: {
    received: null,
    dispensed: null,
    discounts: null,
    overpaid: null,
    exactChangeSales: null,
    filled: null,
    tubeContents: null,
  },
  peripherals: new Map(),
  tubes: new Map(),
  coins: new Map(),
  bills: new Map(),
  recyclerBills: new Map(),
  typeRows: new Map(),
  selections: new Map(),
  current: null,
  priceRows: [],
  events: [],
  eventCounters: [],
  reads: null,
  countersBeganAt: null,
  powerOutages: null,
  makerRows: [],
})

/**
 * A block of the report. `keyOf` says what two rows of it must share to be the same thing said twice: the later one then counts
 * where it reports something. `take` answers false for a row that it could not place.
 */
export type Block = {
  keyOf: ((read: Elements, draft: Draft) => string) | null
  take: (read: Elements, draft: Draft) => boolean | void
}
export type Blocks = Record<string, Block>

/** Stands once in a report. */
export const once = (take: Block['take']): Block => ({ keyOf: () => '', take })
/** Stands once for each value of its first elements. */
export const oncePer = (elements: number, take: Block['take']): Block => ({
  keyOf: (read) => read.all.slice(0, elements).join('*'),
  take,
})
/** Stands any number of times, each for itself. */
export const each = (take: Block['take']): Block => ({ keyOf: null, take })

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges a report over the known value; null reports nothing. */
export function overlay<T extends object>(before: T | null | undefined, now: T): T {
  if (!before) return now
  const merged = { ...before }
  for (const key of Object.keys(now) as (keyof T)[]) {
    const old = before[key]
    const value = now[key]
    if (value === null) continue
    merged[key] = isObject(old) && isObject(value) ? overlay(old, value) : value
  }
  return merged
}

/** Whether anything in it was reported. */
const says = (value: unknown): boolean => (isObject(value) ? Object.values(value).some(says) : value !== null)

/** Merges a row over the known row. A row of empty elements reports nothing. */
export const noted = <T extends object>(before: T | null | undefined, now: T): T | null =>
  says(now) ? overlay(before, now) : (before ?? null)

/** Puts a reported row into a keyed list. */
export function note<K, T extends object>(list: Map<K, T>, key: K, now: T): void {
  list.set(key, overlay(list.get(key), now))
}
