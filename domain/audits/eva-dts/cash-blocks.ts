import type { AuditContent } from '#contract/audits/audit-content.ts'
import { type Block, type Blocks, type Draft, each, note, noted, once, oncePer } from './draft.ts'
import { bothHalves, type Elements, resetThenInitialisation } from './elements.ts'

/*
 * Coins, bills, tubes and recyclers. These blocks begin with the counters since reset.
 */

type Cash = AuditContent['cash']
type Halves<T> = { sinceInitialisation: T; sinceReset: T }
/** Two elements that are not neighbours, since reset and since initialisation. */
const counts = (read: Elements, sinceReset: number, sinceInitialisation: number) =>
  bothHalves(read, read.count(sinceInitialisation), read.count(sinceReset))

/**
 * Bills in, in the report's digits. CA304 and CA308 are the oldest fields; many machines write whole units there (12 for 12.00 EUR), others
 * minor units. CA309 and CA310 are always minor units and are used where present. Otherwise the sum decides:
 * cash in equals cash to the box, to the tubes and in bills.
 */
function billsIn(read: Elements, from: number, minorAt: number, decimals: number): number | null {
  const written = read.count(from + 3)
  const minor = read.money(minorAt)
  if (minor !== null && (minor > 0 || !written)) return minor
  if (written === null) return minor
  const asMinor = read.scaled(written)
  const asWhole = read.scaled(written * 10 ** decimals)
  if (written === 0 || decimals === 0) return asMinor
  const total = read.money(from)
  const rest = total === null ? null : total - (read.money(from + 1) ?? 0) - (read.money(from + 2) ?? 0)
  if (rest !== null && rest === asWhole) {
    read.remark('billsInWholeUnits', { value: written })
    return asWhole
  }
  if (rest !== asMinor) read.remark('billUnitUnclear')
  return asMinor
}

const cashIn = (read: Elements, from: number, billsAt: number, recyclerAt: number, decimals: number) => ({
  total: read.money(from),
  toBox: read.money(from + 1),
  toTubes: read.money(from + 2),
  bills: billsIn(read, from, billsAt, decimals),
  toRecycler: read.money(recyclerAt),
})

type AmountsOfCash = 'discounts' | 'overpaid' | 'exactChangeSales' | 'filled'
const amounts = (name: AmountsOfCash): Block =>
  once((read, { cash }) => {
    cash[name] = noted(cash[name], resetThenInitialisation(read, read.money, 1))
  })

const none: Halves<number | null> = { sinceInitialisation: null, sinceReset: null }

/**
 * The type of a row. Machines write one row per type of coin or bill; several types may share a value, or have none. The same counters
 * once more are a repeat, and null.
 */
function typeOf(read: Elements, draft: Draft, value: number | null): { key: string; type: number } | null {
  const blockRows = draft.typeRows.get(read.block) ?? { rows: 0, written: new Set(), byValue: new Map() }
  draft.typeRows.set(read.block, blockRows)
  const written = read.all.join('*')
  if (blockRows.written.has(written) && read.all.slice(1).some((element) => /[1-9]/.test(element))) return null
  blockRows.written.add(written)
  blockRows.rows++
  const place = (blockRows.byValue.get(value) ?? 0) + 1
  blockRows.byValue.set(value, place)
  return { key: `${value}*${place}`, type: blockRows.rows }
}

/** A row of a coin or bill type; an empty row is ignored. */
const ofType = (
  take: (read: Elements, draft: Draft, type: { key: string; type: number; value: number | null }) => void,
) =>
  each((read, draft) => {
    if (read.all.every((element) => element === '')) return false
    const value = read.denomination(1)
    const type = typeOf(read, draft, value)
    if (type) take(read, draft, { ...type, value })
    else read.remark('blockRepeated', { key: read.text(1) ?? '' })
    return true
  })

const coin = (of: (read: Elements) => Partial<Cash['coins'][number]>): Block =>
  ofType((read, { coins }, { key, type, value }) => {
    const before = coins.get(key) ?? {
      type,
      value,
      received: none,
      toBox: none,
      toTubes: none,
      dispensed: none,
      dispensedByHand: none,
      filled: none,
    }
    note(coins, key, { ...before, ...of(read) })
  })

/** The counters after the bill's value are two halves of one size, since reset and since initialisation; returns the first of each. */
const firstOfHalves = (read: Elements): Halves<number | null> =>
  counts(read, 2, 2 + Math.max(1, Math.ceil((read.all.length - 1) / 2)))

const recycler = (name: 'received' | 'dispensed' | 'filled'): Block =>
  ofType((read, { recyclerBills }, { key, type, value }) => {
    const before = recyclerBills.get(key) ?? { type, value, received: none, dispensed: none, filled: none }
    note(recyclerBills, key, { ...before, [name]: firstOfHalves(read) })
  })

/** Counts of tubes that were never set up: a byte or a word of ones. */
const unsetCounts = [0xff, 0xffff]
const tubeCount = (count: number | null) => (count !== null && unsetCounts.includes(count) ? null : count)

/** A changer whose tubes were never set up reports a word of ones as their contents too. */
export function dropUnsetTubes({ cash, tubes }: Draft): void {
  const areUnset = tubes.size > 0 && [...tubes.values()].every(({ value, count }) => value === null && !count)
  if (areUnset) cash.tubeContents = null
}

/** `decimals` are the machine's own, for amounts that it writes in whole units. */
export const cashBlocks = (decimals: number): Blocks => ({
  CA3: once((read, { cash }) => {
    const sinceReset = cashIn(read, 1, 9, 11, decimals)
    cash.received = noted(cash.received, bothHalves(read, cashIn(read, 5, 10, 12, decimals), sinceReset))
  }),
  CA4: once((read, { cash }) => {
    const out = (from: number) => ({ dispensed: read.money(from), byHand: read.money(from + 1) })
    cash.dispensed = noted(cash.dispensed, bothHalves(read, out(3), out(1)))
  }),
  CA7: amounts('discounts'),
  CA8: amounts('overpaid'),
  CA9: amounts('exactChangeSales'),
  CA10: amounts('filled'),
  CA11: coin((read) => ({
    received: counts(read, 2, 5),
    toBox: counts(read, 3, 6),
    toTubes: counts(read, 4, 7),
  })),
  CA12: coin((read) => ({
    dispensed: counts(read, 2, 4),
    dispensedByHand: counts(read, 3, 5),
  })),
  CA13: coin((read) => ({ filled: counts(read, 2, 3) })),
  CA14: ofType((read, { bills }, { key, ...type }) => {
    note(bills, key, { ...type, received: counts(read, 2, 4), toStacker: counts(read, 3, 5) })
  }),
  CA15: once((read, { cash }) => {
    cash.tubeContents = read.money(1) ?? cash.tubeContents
  }),
  CA17: oncePer(1, (read, { tubes }) => {
    note(tubes, read.all[0] ?? '', {
      type: read.text(1),
      value: read.denomination(2),
      count: tubeCount(read.count(3)),
      filled: tubeCount(read.count(4)),
      dispensed: tubeCount(read.count(5)),
      isFull: read.flag(6),
    })
  }),
  CA19: recycler('received'),
  CA20: recycler('dispensed'),
  CA21: recycler('filled'),
})
