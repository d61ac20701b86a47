import { type Currency, currencies } from './currencies.ts'

/**
 * About the value of a euro in units of each currency, as round as the amounts that people think in. It scales limits between currencies; no amount
 * is converted by it.
 */
const unitsLikeOneEuro = {
  COP: 5_000,
  CZK: 25,
  EUR: 1,
  GBP: 1,
  QAR: 4,
  RON: 5,
  RSD: 100,
  ZAR: 20,
  MXN: 20,
  UYU: 40,
  CLP: 1_000,
  BRL: 5,
  PEN: 4,
  PYG: 8_000,
  USD: 1,
} as const satisfies Record<Currency, number>

/** Minor units of a currency that are about so many euros. */
const about = (euros: number, currency: Currency): number =>
  euros * unitsLikeOneEuro[currency] * 10 ** currencies[currency].storageDigits

/** Limits of recharges, by a payment on the web or at a machine. `largestDaily…`: within 24 hours, by medium and by machine. */
export const rechargeLimits = [
  'largestRecharge',
  'largestBalance',
  'largestDailyRecharge',
  'largestDailyRechargeOfMachine',
] as const
export type RechargeLimit = (typeof rechargeLimits)[number]
/** Minor units. An amount equal to a limit is within it. */
export type RechargeLimits = Readonly<Record<RechargeLimit, number>>

const euros: RechargeLimits = {
  largestRecharge: 250,
  largestBalance: 500,
  largestDailyRecharge: 500,
  largestDailyRechargeOfMachine: 5_000,
}

/** The limits of a merchant that has set none. */
export const defaultRechargeLimits = (currency: Currency): RechargeLimits =>
  Object.fromEntries(rechargeLimits.map((limit) => [limit, about(euros[limit], currency)])) as RechargeLimits

/** The largest price that a machine may sell for, and a customer may claim. */
export const largestPrice = (currency: Currency): number => about(2_000, currency)

/** The largest amount of one credit, payment or payout. Limits of merchants are below it. */
export const largestAmount = (currency: Currency): number => about(10_000, currency)

/** The largest amount in minor units of any currency, where the currency is not known yet. */
export const mostAmount = Math.max(...(Object.keys(currencies) as Currency[]).map(largestAmount))
