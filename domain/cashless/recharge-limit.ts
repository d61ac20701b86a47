import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import {
  defaultRechargeLimits,
  type RechargeLimit,
  type RechargeLimits,
  rechargeLimits,
} from '#contract/vocabulary/world/money-limits.ts'

/** The limits of a merchant: its own, or else the defaults of its currency. Minor units. */
export function limitsOf(
  ownLimits: { readonly [limit in RechargeLimit]: number | null },
  currency: Currency,
): RechargeLimits {
  const defaults = defaultRechargeLimits(currency)
  return Object.fromEntries(
    rechargeLimits.map((limit) => [limit, ownLimits[limit] ?? defaults[limit]]),
  ) as RechargeLimits
}

/** What a recharge meets. Minor units. */
export interface RechargePlace {
  /** What the medium has, also what is held of it. */
  balance: number
  /** What was recharged in the last 24 hours: to the medium, and at the machine. Null: it is not paid at a machine. */
  ofDay: number
  ofDayAtMachine: number | null
}

export interface BrokenLimit {
  limit: RechargeLimit
  /** Minor units that the limit allows. */
  allowed: number
}

/** The first limit that an amount breaks; null: it is within all of them. */
export function brokenLimit(limits: RechargeLimits, amount: number, place: RechargePlace): BrokenLimit | null {
  const after: Record<RechargeLimit, number> = {
    largestRecharge: amount,
    largestBalance: place.balance + amount,
    largestDailyRecharge: place.ofDay + amount,
    largestDailyRechargeOfMachine: place.ofDayAtMachine === null ? 0 : place.ofDayAtMachine + amount,
  }
  const limit = rechargeLimits.find((each) => after[each] > limits[each])
  return limit ? { limit, allowed: limits[limit] } : null
}
