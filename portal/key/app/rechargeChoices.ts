import type { Currency } from '#contract/vocabulary/world/currencies.ts'

/** Usual amounts of a recharge, in whole units of each currency. */
export const rechargeChoices = {
  EUR: [5, 10, 20, 50],
  GBP: [5, 10, 20, 50],
  USD: [5, 10, 20, 50],
  COP: [10_000, 20_000, 50_000, 100_000],
  CZK: [100, 200, 500, 1_000],
  QAR: [20, 50, 100, 200],
  RON: [20, 50, 100, 200],
  RSD: [500, 1_000, 2_000, 5_000],
  ZAR: [50, 100, 200, 500],
  MXN: [50, 100, 200, 500],
  UYU: [200, 500, 1_000, 2_000],
  CLP: [5_000, 10_000, 20_000, 50_000],
  BRL: [20, 50, 100, 200],
  PEN: [10, 20, 50, 100],
  PYG: [20_000, 50_000, 100_000, 200_000],
} as const satisfies Record<Currency, readonly number[]>
