import type { AuditContent, AuditReads, Tallies, Tally } from '#contract/audits/audit-content.ts'
import type { AuditCounter } from '#contract/vocabulary/audit.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { currencyOfReading } from './eva-dts/money.ts'
import { scaleOf } from './eva-dts/scale.ts'
import { type Half, soldByList, soldOf, sumOfTallies } from './paid-sales.ts'

/** Pieces and money; null if the machine does not report it. */
export type Counted = readonly [count: number | null, value: number | null]

export type Lines = Partial<Record<AuditCounter, Counted>>

/** The counters of one selection (PA2, or else PA7 or LA1) and its description (PA1). */
export interface SelectionCounter {
  selection: string
  name: string | null
  price: number | null
  sold: Counted
  /** Its counters since the last reset, beside `AuditCounters.sinceReset`. */
  sinceReset?: Counted
}

/** EA3: how often the machine was read, and when. */
export interface Readings {
  resets: number | null
  all: number | null
  at: string | null
  previousAt: string | null
}

/** For a file with a currency that the product does not know (ISO 4217: no currency). */
const noCurrency = 'XXX'

/**
 * All that is followed from one read to the next: cumulative counters since initialisation, in minor units of the merchant's
 * currency or of `foreign`, whose they are, and what the tubes held.
 */
export interface AuditCounters {
  /** The currency that the file names where it is not the merchant's. */
  foreign?: Currency | typeof noCurrency
  board: string | null
  machine: string | null
  /** EA4: since when the machine counts. */
  began: string | null
  /** The machine's own clock at the reading: ID5, else EA3. */
  clock?: string
  readings?: Readings
  lines: Lines
  /** The counters since the last reset, where the machine lacks some since its initialisation. */
  sinceReset?: Lines
  /** CA15, and the sum of CA17. */
  tubeContents: number | null
  tubesCounted: number | null
  selections: SelectionCounter[]
}

/** Sum of the reported values; null without any, or if it is too large to be exact. */
function total(values: Iterable<number | null>): number | null {
  let sum: number | null = null
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value
  return sum !== null && Number.isSafeInteger(sum) ? sum : null
}

/** The money of pieces by type; null without any, or if a type of unknown value has pieces. */
function moneyOf<T extends { value: number | null }>(types: readonly T[], count: (type: T) => number | null) {
  let sum: number | null = null
  for (const type of types) {
    const pieces = count(type)
    if (pieces === null) continue
    if (type.value) sum = (sum ?? 0) + pieces * type.value
    else if (pieces > 0) return null
  }
  return sum
}

/** The money in the tubes by their coins; null without any tube, or if the coins or value of one are unknown. */
function moneyInTubes(tubes: AuditContent['cash']['tubes']): number | null {
  const used = tubes.filter(({ value, count }) => value !== null || count)
  const isWhole = used.every(({ value, count }) => value !== null && count !== null)
  return isWhole ? total(used.map(({ value, count }) => (value ?? 0) * (count ?? 0))) : null
}

/** Whether a half of a counter is reported since the last reset alone. */
const isResetOnly = (sinceReset: Counted | undefined, sold: Counted | undefined) =>
  sinceReset?.some((value, half) => value !== null && (sold?.[half] ?? null) === null) ?? false

const isSaid = (counted: Counted) => counted.some((half) => half !== null)

/** The machine's own clock at the reading, with its time of day; some machines leave ID5 out and have the time of EA3. */
export const clockOf = ({ identity, reads }: Pick<AuditContent, 'identity' | 'reads'>): string | null =>
  [identity.clock, reads?.thisAt ?? null].find((clock) => clock?.includes('T')) ?? null

const readingsOf = (reads: AuditReads): Readings => ({
  resets: reads.readsWithReset,
  all: reads.reads,
  at: reads.thisAt,
  previousAt: reads.lastAt,
})

/**
 * The counters of an audit. Money of an unknown currency, or with the wrong number of digits, is left out:
 * pieces can still be compared.
 */
export function countersOf(content: AuditContent, merchant: Currency): AuditCounters {
  const { cash, identity, money, reads } = content
  const currency = currencyOfReading(money, merchant)
  const amount = (value: number | null | undefined): number | null => {
    if (value === null || value === undefined || currency === null) return null
    const converted = scaleOf(money.digits, currencies[currency].storageDigits).convert(value)
    return Number.isSafeInteger(converted) ? converted : null
  }
  const counted = (tally: Tally): Counted => [tally.count, amount(tally.value)]
  const lines = linesOf(content, 'sinceInitialisation', amount)
  const sinceReset = linesOf(content, 'sinceReset', amount)
  const selections = selectionsOf(content).map(({ sold, price, ...selection }) => ({
    ...selection,
    price: amount(price),
    sold: counted(sold.sinceInitialisation),
    sinceReset: counted(sold.sinceReset),
  }))
  const names = Object.keys(sinceReset) as AuditCounter[]
  const needsReset =
    names.some((name) => isResetOnly(sinceReset[name], lines[name])) ||
    selections.some((each) => isResetOnly(each.sinceReset, each.sold))
  const clock = clockOf(content)
  return {
    ...(currency !== merchant && { foreign: currency ?? noCurrency }),
    board: identity.controlBoard?.serial ?? null,
    machine: identity.serial,
    began: content.countersBeganAt,
    ...(clock !== null && { clock }),
    ...(reads && { readings: readingsOf(reads) }),
    lines,
    ...(needsReset && { sinceReset }),
    tubeContents: amount(cash.tubeContents),
    tubesCounted: amount(moneyInTubes(cash.tubes)),
    selections: needsReset ? selections : selections.map(({ sinceReset: _, ...selection }) => selection),
  }
}

type Amount = (value: number | null | undefined) => number | null

/** The reported counters of one half. */
function linesOf({ sales, payments, cash, selections, priceRows }: AuditContent, half: Half, amount: Amount): Lines {
  const tally = (tallies: Tallies | null | undefined): Counted => [
    tallies?.[half].count ?? null,
    amount(tallies?.[half].value),
  ]
  const sumOf = (tallies: readonly (Tallies | null)[]): Counted => {
    const { count, value } = sumOfTallies(tallies.flatMap((each) => (each ? [each[half]] : [])))
    return [count, amount(value)]
  }
  const only = (value: number | null | undefined): Counted => [null, amount(value)]
  const received = cash.received?.[half]
  const dispensed = cash.dispensed?.[half]
  const { cashless1, cashless2 } = payments
  const { coins, bills } = cash
  const paidOut = total([
    moneyOf(coins, (coin) => coin.dispensed[half]),
    moneyOf(coins, (coin) => coin.dispensedByHand[half]),
  ])
  const lines: Record<AuditCounter, Counted> = {
    sold: tally(sales.paid),
    cashSold: tally(payments.cash),
    cashless1Sold: tally(cashless1?.sold),
    cashless2Sold: tally(cashless2?.sold),
    vendTokens: tally(payments.vendTokens),
    valueTokens: tally(payments.valueTokens),
    freeVends: tally(sales.free),
    testVends: tally(sales.test),
    bySelection: sumOf(selections.map(({ sold }) => sold)),
    byPayment: sumOf(selections.flatMap((each) => each.payments.map(({ sold }) => sold))),
    byPriceList: sumOf([...soldByList(priceRows).values()]),
    cashIn: only(received?.total),
    toBox: only(received?.toBox),
    toTubes: only(received?.toTubes),
    bills: only(received?.bills),
    toRecycler: only(received?.toRecycler),
    dispensed: only(dispensed?.dispensed),
    byHand: only(dispensed?.byHand),
    overpaid: only(cash.overpaid?.[half]),
    filled: only(cash.filled?.[half]),
    credited: only(total([cashless1, cashless2].map((reader) => reader?.credited?.[half] ?? null))),
    coinsToBox: only(moneyOf(coins, (coin) => coin.toBox[half])),
    coinsToTubes: only(moneyOf(coins, (coin) => coin.toTubes[half])),
    coinsPaidOut: only(paidOut),
    billsByValue: only(moneyOf(bills, (bill) => bill.received[half])),
    billsToStacker: only(moneyOf(bills, (bill) => bill.toStacker[half])),
  }
  return Object.fromEntries(Object.entries(lines).filter(([, each]) => isSaid(each)))
}

/** The selections of PA1, and further selections of LA1. */
function selectionsOf({ selections, priceRows }: AuditContent) {
  const byList = soldByList(priceRows)
  const described = new Set(selections.map(({ selection }) => selection))
  const strangers = [...byList.keys()].filter((selection) => !described.has(selection))
  return [
    ...selections.map((each) => ({ ...each, sold: soldOf(each) ?? byList.get(each.selection) ?? null })),
    ...strangers.map((selection) => ({ selection, name: null, price: null, sold: byList.get(selection) ?? null })),
  ].flatMap(({ selection, name, price, sold }) => (sold ? [{ selection, name, price, sold }] : []))
}

/** Lines that count all paid sales, the best first. */
export const salesLines = ['sold', 'bySelection', 'byPayment', 'byPriceList'] as const
/** Lines that count paid sales by payment device. */
export const deviceLines = ['cashSold', 'cashless1Sold', 'cashless2Sold', 'vendTokens', 'valueTokens'] as const

/** Whether a reading reports sales; a reading without sales is skipped, so that a truncated file splits no interval. */
export const saysSales = ({ lines, sinceReset }: Pick<AuditCounters, 'lines' | 'sinceReset'>): boolean =>
  [...salesLines, ...deviceLines].some((name) => lines[name] !== undefined || sinceReset?.[name] !== undefined)
