import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ofFeature } from '../frame/of-feature.ts'
import { Instant, MinorUnits } from '../frame/shapes.ts'
import { MachineFacets } from '../machines/machine-state.ts'
import { HaltedRollout } from '../updates/halted-rollout.ts'
import { PosStatus } from '../vocabulary/device.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** A machine that needs attention, by its worst problem: the alarm `code`, or that it is not connected. */
export const NeedsYou = z.strictObject({
  merchantId: z.uuid(),
  posId: z.uuid(),
  posName: z.string(),
  groupName: z.string().nullable(),
  posStatus: PosStatus,
  /** Null when it is the connection. */
  code: z.string().nullable(),
  since: Instant,
})
export type NeedsYou = z.infer<typeof NeedsYou>

/** One local hour of today beside the last four same weekdays: their mean, lowest and highest. Values are minor units. */
export const HourOfSales = z.strictObject({
  hour: z.int().min(0).max(23),
  value: MinorUnits,
  vends: z.int(),
  usualValue: MinorUnits,
  usualLow: MinorUnits,
  usualHigh: MinorUnits,
  usualVends: z.number(),
})
export type HourOfSales = z.infer<typeof HourOfSales>

/** Today's business in one currency. `usual…ByNow` is the mean of the last four same weekdays up to this time of day, each merchant's own. */
export const SalesToday = z.strictObject({
  currency: Currency,
  /** The local hour where the currency is used (its first merchant's, by name). */
  hourNow: z.int().min(0).max(23),
  value: MinorUnits,
  vends: z.int(),
  /** How many of the last four same weekdays have data and are in the mean. */
  usualDays: z.int().min(0).max(4),
  /** Charged today for failed vends, which are in neither figure. */
  failedCharge: MinorUnits,
  usualValueByNow: MinorUnits,
  usualVendsByNow: z.number(),
  hours: z.array(HourOfSales).length(24),
  /** The last 14 local days, oldest first. */
  valueByDay: z.array(MinorUnits),
  vendsByDay: z.array(z.int()),
  /** Without merchants that count blind, for readers who do not see their cash boxes. */
  cashInBoxes: MinorUnits,
  /** No merchant of the currency shows its cash boxes to the reader. */
  isCashHidden: z.boolean(),
})
export type SalesToday = z.infer<typeof SalesToday>

export const Dashboard = z.strictObject({
  at: Instant,
  /** The local day shown, in the merchant's zone (the first merchant's under "all distributors"). */
  day: z.iso.date(),
  machines: MachineFacets,
  /** The merchant’s checklist of the first steps is open; false for users who may not read its settings, and for several merchants. */
  hasFirstSteps: z.boolean(),
  /** The worst of the machines that need attention: `machines.posStatuses` counts them all. */
  needsYou: z.array(NeedsYou),
  /** Rollouts that wait for a decision; none for users who may not see rules. */
  haltedRollouts: z.array(HaltedRollout),
  openBlockingAlarms: z.int(),
  /** Only of merchants with the feature. */
  soldOut: ofFeature('productStock', z.int()),
  /** Machines where a user must decide about stock: another number of the machine, or a refill that it has not confirmed. */
  stockFindings: ofFeature('productStock', z.int()),
  /** Pieces in warehouses and vans whose last day of sale is over. */
  expiredPieces: ofFeature('warehouse', z.int()),
  fullCashBoxes: z.int(),
  /** Prices of machines that are wrong for longer than a day. */
  wrongPrices: ofFeature('vending', z.int()),
  /** What they cost so far, by currency: wanted minus charged. */
  wrongPricesLost: ofFeature('vending', z.array(z.strictObject({ currency: Currency, lost: MinorUnits }))),
  /** Claims of customers that wait for an answer. */
  openClaims: ofFeature('customerMedia', z.int()),
  /** Claims answered in the last 30 days, and the median time from a claim to its answer, in minutes; null without any. */
  answeredClaims: ofFeature('customerMedia', z.int()),
  claimAnswerMinutes: ofFeature('customerMedia', z.int().nullable()),
  /** Commands ordered today that failed. */
  failedCommands: z.int(),
  sales: z.array(SalesToday),
})
export type Dashboard = z.infer<typeof Dashboard>

export const dashboards = {
  getDashboard: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/dashboard',
    summary: 'Get today’s figures and the machines needing attention',
    needs: 'dashboard.read',
    topics: [
      'machine',
      'alarm',
      'transaction',
      'command',
      'group',
      'price',
      'claim',
      'stock',
      'stockPlace',
      'firmwareRule',
      'cashDatabaseRule',
    ],
    ok: Dashboard,
  }),
}
