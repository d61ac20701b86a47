import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Day, Instant, MinorUnits, oneOrMany, optionalPeriod, paged, pageOf, Search } from '../frame/shapes.ts'
import { PlannedPriceStatus, PricePlanStatus } from '../vocabulary/catalogue/price.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** Prices that a user has planned together for a day. Machines, prices and status are those of the reader's groups. */
export const PricePlan = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  name: z.string().nullable(),
  status: PricePlanStatus,
  /** They start at midnight of this day on each machine's clock. */
  startsOn: Day,
  /** They are sent at their start. */
  send: z.boolean(),
  machines: z.int(),
  prices: z.int(),
  /** Prices that have not started yet, and machines with such prices: what a cancellation ends. */
  open: z.int(),
  openMachines: z.int(),
  createdAt: Instant,
  /** Null: a user who is not shown. */
  createdBy: z.string().nullable(),
  cancelledAt: Instant.nullable(),
  cancelledBy: z.string().nullable(),
})
export type PricePlan = z.infer<typeof PricePlan>

export const PricePlanFilters = z.strictObject({
  /** A part of the plan's name or of its user's. */
  search: Search.optional(),
  statuses: oneOrMany(PricePlanStatus),
  /** Plans with prices of these machines. */
  posIds: oneOrMany(ids.pastPosId),
  /** Plans that start on these days. */
  ...optionalPeriod,
})
export type PricePlanFilters = z.infer<typeof PricePlanFilters>

export const pricePlanColumns = {
  name: { kind: 'text', heading: 'price-plan:column.name' },
  merchant: { kind: 'text', heading: 'price-plan:column.merchant' },
  startsOn: { kind: 'day', heading: 'price-plan:column.startsOn' },
  status: { kind: 'status', heading: 'price-plan:column.status', of: 'pricePlanStatus' },
  machines: { kind: 'number', heading: 'price-plan:column.machines' },
  prices: { kind: 'number', heading: 'price-plan:column.prices' },
  createdBy: { sort: false, kind: 'text', heading: 'price-plan:column.createdBy' },
  createdAt: { kind: 'instant', heading: 'price-plan:column.createdAt' },
  cancelledAt: { kind: 'instant', heading: 'price-plan:column.cancelledAt' },
  cancelledBy: { sort: false, kind: 'text', heading: 'price-plan:column.cancelledBy' },
} as const satisfies ListColumns

export const pricePlanOrds = ordsOf(pricePlanColumns, 'startsOn')

/** One price of a plan. */
export const PlannedPrice = z.strictObject({
  /** Plan, machine, price table and selection. */
  id: z.string(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  pricePlanId: z.uuid(),
  posId: z.uuid(),
  posName: z.string(),
  selection: z.string(),
  product: z.string().nullable(),
  priceTable: z.int(),
  /** The price that the plan was computed from. */
  before: MinorUnits.nullable(),
  price: MinorUnits,
  startsAt: Instant,
  status: PlannedPriceStatus,
})
export type PlannedPrice = z.infer<typeof PlannedPrice>

export const PlannedPriceFilters = z.strictObject({
  /** In the machine's name and serial, two letters or more. */
  search: Search.optional(),
  pricePlanIds: oneOrMany(ids.pricePlanId),
  posIds: oneOrMany(ids.pastPosId),
  statuses: oneOrMany(PlannedPriceStatus),
})
export type PlannedPriceFilters = z.infer<typeof PlannedPriceFilters>

export const plannedPriceColumns = {
  machine: { kind: 'text', heading: 'price:column.machine', field: 'posName', ord: 'posName' },
  merchant: { kind: 'text', heading: 'price:column.merchant' },
  selection: { kind: 'text', heading: 'price:column.selection' },
  product: { kind: 'text', heading: 'price:column.product' },
  priceTable: { kind: 'word', heading: 'price:column.priceTable', of: 'priceTable' },
  before: { kind: 'amount', heading: 'price:history.before' },
  price: { kind: 'amount', heading: 'price:history.after' },
  startsAt: { kind: 'instant', heading: 'price-plan:column.startsAt' },
  status: { kind: 'status', heading: 'price-plan:column.status', of: 'plannedPriceStatus' },
} as const satisfies ListColumns

export const plannedPriceOrds = ordsOf(plannedPriceColumns, 'posName')

const one = '/merchants/{merchantId}/price-plans/{pricePlanId}' as const

export const pricePlans = {
  listPricePlans: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/price-plans',
    summary: 'List plans of prices that start on a day',
    needs: 'machine.read',
    feature: 'vending',
    topics: ['price', 'machine'],
    query: PricePlanFilters.extend(paged(pricePlanOrds)),
    ok: pageOf(PricePlan),
    fails: ['PeriodReversed'],
  }),
  getPricePlan: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a plan of prices',
    needs: 'machine.read',
    feature: 'vending',
    topics: ['price', 'machine'],
    ok: PricePlan,
    fails: ['PricePlanNotFound'],
  }),
  cancelPricePlan: endpoint({
    method: 'POST',
    path: `${one}/cancel`,
    summary: 'Cancel all prices of a plan that have not started',
    needs: 'price.write',
    feature: 'vending',
    ok: z.strictObject({ cancelled: z.int(), machines: z.int() }),
    status: 200,
    fails: ['PricePlanNotFound', 'PricePlanEnded'],
  }),
  listPlannedPrices: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/planned-prices',
    summary: 'List planned prices of points of sale, by plan',
    needs: 'machine.read',
    feature: 'vending',
    topics: ['price', 'machine'],
    query: PlannedPriceFilters.extend(paged(plannedPriceOrds)),
    ok: pageOf(PlannedPrice),
  }),
}

/** The list as a file. */
export const exportedPricePlans = {
  row: pricePlans.listPricePlans,
  filters: PricePlanFilters,
  ords: pricePlanOrds,
  columns: pricePlanColumns,
} as const satisfies ExportedList

/** The list as a file. */
export const exportedPlannedPrices = {
  row: pricePlans.listPlannedPrices,
  filters: PlannedPriceFilters,
  ords: plannedPriceOrds,
  columns: plannedPriceColumns,
} as const satisfies ExportedList
