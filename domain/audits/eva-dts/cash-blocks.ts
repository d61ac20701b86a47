import type { AuditContent } from '#contract/audits/audit-content.ts'
import { type Block, type Blocks, type Draft, note, noted, once, oncePer } from './draft.ts'
import { type Elements, resetThenInitialisation } from './elements.ts'

/*
 * Coins, bills, tubes and recyclers. These blocks begin with the counters since reset.
 */

type Cash = AuditContent['cash']
type Halves<T> = { sinceInitialisation: T; sinceReset: T }
const halves = <T>(sinceReset: T, sinceInitialisation: T): Halves<T> => ({ sinceReset, sinceInitialisation })

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
  const [asMinor, asWhole] = [read.scaled(written), read.scaled(written * 10 ** decimals)]
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
    cash[name] = noted(cash[name], resetThenInitialisation(read.money, 1))
  })

const none: Halves<number | null> = halves(null, null)

/** A row of a coin or bill by its value; a row without a value is ignored. */
const ofValue = (take: (read: Elements, draft: Draft, value: number) => void): Block =>
  oncePer(1, (read, draft) => {
    const value = read.money(1)
    if (value === null) return false
    take(read, draft, value)
    return true
  })

const coin = (of: (read: Elements) => Partial<Cash['coins'][number]>): Block =>
  ofValue((read, { coins }, value) => {
    const empty = {
      value,
      received: none,
      toBox: none,
      toTubes: none,
      dispensed: none,
      dispensedByHand: none,
      filled: none,
    }
    note(coins, value, { ...empty, ...of(read) })
  })

/** The counters after the bill's value are two halves of one size, since reset and since initialisation; returns the first of each. */
function firstOfHalves(read: Elements): Halves<number | null> {
  const half = Math.max(1, Math.ceil((read.all.length - 1) / 2))
  return halves(read.count(2), read.count(2 + half))
}

const recycler = (name: 'received' | 'dispensed' | 'filled'): Block =>
  ofValue((read, { recyclerBills }, value) => {
    const empty = { value, received: none, dispensed: none, filled: none }
    note(recyclerBills, value, { ...empty, [name]: firstOfHalves(read) })
  })

/** `decimals` are the machine's own, for amounts that it writes in whole units. */
export const cashBlocks = (decimals: number): Blocks => ({
  CA3: once((read, { cash }) => {
    const sinceReset = cashIn(read, 1, 9, 11, decimals)
    cash.received = noted(cash.received, halves(sinceReset, cashIn(read, 5, 10, 12, decimals)))
  }),
  CA4: once((read, { cash }) => {
    const out = (from: number) => ({ dispensed: read.money(from), byHand: read.money(from + 1) })
    cash.dispensed = noted(cash.dispensed, halves(out(1), out(3)))
  }),
  CA7: amounts('discounts'),
  CA8: amounts('overpaid'),
  CA9: amounts('exactChangeSales'),
  CA10: amounts('filled'),
  CA11: coin((read) => ({
    received: halves(read.count(2), read.count(5)),
    toBox: halves(read.count(3), read.count(6)),
    toTubes: halves(read.count(4), read.count(7)),
  })),
  CA12: coin((read) => ({
    dispensed: halves(read.count(2), read.count(4)),
    dispensedByHand: halves(read.count(3), read.count(5)),
  })),
  CA13: coin((read) => ({ filled: halves(read.count(2), read.count(3)) })),
  CA14: ofValue((read, { bills }, value) => {
    const received = halves(read.count(2), read.count(4))
    note(bills, value, { value, received, toStacker: halves(read.count(3), read.count(5)) })
  }),
  CA15: once((read, { cash }) => {
    cash.tubeContents = read.money(1) ?? cash.tubeContents
  }),
  CA17: oncePer(1, (read, { tubes }) => {
    note(tubes, read.all[0] ?? '', {
      type: read.text(1),
      value: read.money(2),
      count: read.count(3),
      filled: read.count(4),
      dispensed: read.count(5),
      isFull: read.flag(6),
    })
  }),
  CA19: recycler('received'),
  CA20: recycler('dispensed'),
  CA21: recycler('filled'),
})
