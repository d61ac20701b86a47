import type { AuditContent, AuditWarning } from '#contract/audits/audit-content.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import type { Draft } from './draft.ts'
import type { Remark } from './elements.ts'
import { scaleOf } from './scale.ts'

/*
 * Machines miss their decimals by a factor of 10, 100 or 1000: cents behind ID4*0, or counters in whole units behind ID4*2. A
 * wrong scale agrees with itself, so amounts are compared with what a vend costs. A remark changes no amount.
 */

/** The value of a euro, to an order of magnitude that outlasts exchange rates. */
const unitsPerEuro = {
  COP: 4500,
  CZK: 25,
  EUR: 1,
  GBP: 1,
  QAR: 4,
  RON: 5,
  RSD: 117,
  ZAR: 20,
  MXN: 20,
  UYU: 45,
  CLP: 1000,
  BRL: 6,
  PEN: 4,
  PYG: 8000,
  USD: 1,
} as const satisfies Record<Currency, number>

/** In euros: the lowest price of a vend, and a price that vends rarely exceed. */
const plausible = { least: 0.03, most: 30 }
/** So far apart are prices by a wrong scale; by a discount, a deposit or another range of products they are not. */
const outOfScale = 9

type Amounts = Pick<Draft, 'sales'> & { selections: Iterable<Pick<AuditContent['selections'][number], 'price'>> }

/** The middle price of the selections (PA1); free ones and those without a price say nothing. */
function middlePrice(selections: Amounts['selections']): number | null {
  const prices = [...selections].flatMap(({ price }) => (price !== null && price > 0 ? [price] : []))
  return prices.toSorted((one, other) => one - other)[Math.floor(prices.length / 2)] ?? null
}

/** What a paid vend came to on average (VA1), since initialisation. */
function averageSale({ sales: { paid } }: Amounts): number | null {
  const { value, count } = paid?.sinceInitialisation ?? { value: null, count: null }
  return value && count ? value / count : null
}

const isFar = (one: number, other: number) => Math.max(one / other, other / one) >= outOfScale

const written = (amount: number, digits: number) => (amount / 10 ** digits).toFixed(Math.max(digits, 2))

/** Remarks on counters that do not fit the file's own prices, and on prices that are implausible for a vending machine. */
export function remarkAmounts(
  remark: Remark,
  { sales, selections }: Pick<Draft, 'sales' | 'selections'>,
  { currency, digits }: { currency: Currency | null; digits: number },
): void {
  const amounts: Amounts = { sales, selections: selections.values() }
  const average = averageSale(amounts)
  const price = middlePrice(amounts.selections)
  if (average !== null && price !== null && isFar(average, price))
    remark('countersOutOfScale', null, { average: written(average, digits), price: written(price, digits) })
  const paid = price ?? average
  if (paid === null || currency === null) return
  const euros = paid / 10 ** digits / unitsPerEuro[currency]
  if (euros < plausible.least || euros > plausible.most)
    remark('amountsImplausible', null, { amount: written(paid, digits), currency })
}

/**
 * The remark that an audit's amounts are far from what is known of its machine: `known` is a price or an average sale, in minor
 * units of `currency`. Null where they are near, or not in that currency.
 */
export function scaleRemark(
  { sales, selections, money }: AuditContent,
  knownPrice: number | null,
  currency: Currency,
): AuditWarning | null {
  const paid = middlePrice(selections) ?? averageSale({ sales, selections })
  if (paid === null || !knownPrice || (money.currency ?? currency) !== currency) return null
  const { storageDigits } = currencies[currency]
  const amount = scaleOf(money.digits, storageDigits).convert(paid)
  if (amount === 0 || !isFar(amount, knownPrice)) return null
  const params = { amount: written(amount, storageDigits), known: written(knownPrice, storageDigits) }
  return { code: 'pricesOutOfScale', line: null, params }
}
