import type { AuditContent, Tallies } from '#contract/audits/audit-content.ts'
import type { AuditCounter } from '#contract/vocabulary/audit.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { currencyOfReading } from './eva-dts/money.ts'
import { scaleOf } from './eva-dts/scale.ts'

/** Pieces and money; null if the machine does not report it. */
export type Counted = readonly [count: number | null, value: number | null]

/** The counters of one selection (PA2) and its description (PA1). */
export interface SelectionCounter {
  selection: string
  name: string | null
  price: number | null
  sold: Counted
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
  lines: Partial<Record<AuditCounter, Counted>>
  /** CA15, and the sum of CA17. */
  tubeContents: number | null
  tubesCounted: number | null
  selections: SelectionCounter[]
}

/** Sum of the known values; null without any, or if it is too large to be exact. */
function total(values: Iterable<number | null>): number | null {
  let sum: number | null = null
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value
  return sum !== null && Number.isSafeInteger(sum) ? sum : null
}

const times = (count: number | null, value: number) => (count === null ? null : count * value)

/**
 * The counters of an audit. Money of an unknown currency, or with the wrong number of digits, is left out:
 * pieces can still be compared.
 */
export function countersOf(content: AuditContent, merchant: Currency): AuditCounters {
  const { sales, payments, cash, selections, identity, money } = content
  const currency = currencyOfReading(money, merchant)
  const amount = (value: number | null | undefined): number | null => {
    if (value === null || value === undefined || currency === null) return null
    const converted = scaleOf(money.digits, currencies[currency].storageDigits).convert(value)
    return Number.isSafeInteger(converted) ? converted : null
  }
  const tally = (tallies: Tallies | null | undefined): Counted => [
    tallies?.sinceInitialisation.count ?? null,
    amount(tallies?.sinceInitialisation.value),
  ]
  const sumOf = (tallies: readonly Counted[]): Counted => [
    total(tallies.map(([count]) => count)),
    total(tallies.map(([, value]) => value)),
  ]
  const only = (value: number | null | undefined): Counted => [null, amount(value)]
  const received = cash.received?.sinceInitialisation
  const dispensed = cash.dispensed?.sinceInitialisation
  const { cashless1, cashless2 } = payments
  const coins = (part: 'toBox' | 'toTubes') =>
    only(total(cash.coins.map((coin) => times(coin[part].sinceInitialisation, coin.value))))
  const lines: Record<AuditCounter, Counted> = {
    sold: tally(sales.paid),
    cashSold: tally(payments.cash),
    cashless1Sold: tally(cashless1?.sold),
    cashless2Sold: tally(cashless2?.sold),
    vendTokens: tally(payments.vendTokens),
    valueTokens: tally(payments.valueTokens),
    freeVends: tally(sales.free),
    testVends: tally(sales.test),
    bySelection: sumOf(selections.map(({ sold }) => tally(sold))),
    byPayment: sumOf(selections.flatMap((each) => each.payments.map(({ sold }) => tally(sold)))),
    cashIn: only(received?.total),
    toBox: only(received?.toBox),
    toTubes: only(received?.toTubes),
    bills: only(received?.bills),
    toRecycler: only(received?.toRecycler),
    dispensed: only(dispensed?.dispensed),
    byHand: only(dispensed?.byHand),
    overpaid: only(cash.overpaid?.sinceInitialisation),
    filled: only(cash.filled?.sinceInitialisation),
    credited: only(total([cashless1, cashless2].map((reader) => reader?.credited?.sinceInitialisation ?? null))),
    coinsToBox: coins('toBox'),
    coinsToTubes: coins('toTubes'),
    coinsPaidOut: only(
      total(
        cash.coins.flatMap((coin) => [
          times(coin.dispensed.sinceInitialisation, coin.value),
          times(coin.dispensedByHand.sinceInitialisation, coin.value),
        ]),
      ),
    ),
    billsByValue: only(total(cash.bills.map((bill) => times(bill.received.sinceInitialisation, bill.value)))),
  }
  const reported = Object.entries(lines).filter(([, [count, value]]) => count !== null || value !== null)
  return {
    ...(currency !== merchant && { foreign: currency ?? noCurrency }),
    board: identity.controlBoard?.serial ?? null,
    machine: identity.serial,
    began: content.countersBeganAt,
    lines: Object.fromEntries(reported),
    tubeContents: amount(cash.tubeContents),
    tubesCounted: amount(total(cash.tubes.map((tube) => (tube.value === null ? null : times(tube.count, tube.value))))),
    selections: selections
      .filter(({ sold }) => sold !== null)
      .map((each) => ({
        selection: each.selection,
        name: each.name,
        price: amount(each.price),
        sold: tally(each.sold),
      })),
  }
}

/** Whether a reading reports sales; a reading without sales is skipped, so that a truncated file splits no interval. */
export const saysSales = ({ lines }: Pick<AuditCounters, 'lines'>): boolean =>
  lines.sold !== undefined || lines.bySelection !== undefined
