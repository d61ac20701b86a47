import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { MinorUnits, paged, pageOf, Search } from '../frame/shapes.ts'
import { MachineCounts } from '../machines/machine-state.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/**
 * A merchant at a glance, of the machines that the caller may see. Amounts are minor units of `currency`; `usual…ByNow` is the
 * mean of the last same weekdays with data, `usualDays` of them, up to this time of the merchant's day.
 */
export const MerchantOfDashboard = z.strictObject({
  merchantId: z.uuid(),
  merchantName: z.string(),
  isDemo: z.boolean(),
  currency: Currency,
  timeZone: z.string(),
  machines: MachineCounts,
  /** Open ones. */
  blockingAlarms: z.int(),
  value: MinorUnits,
  vends: z.int(),
  usualValueByNow: MinorUnits,
  usualVendsByNow: z.number(),
  usualDays: z.int().min(0).max(4),
  /** The last 14 local days, oldest first. */
  valueByDay: z.array(MinorUnits),
})
export type MerchantOfDashboard = z.infer<typeof MerchantOfDashboard>

export const MerchantOfDashboardFilters = z.strictObject({ search: Search.optional() })
export type MerchantOfDashboardFilters = z.infer<typeof MerchantOfDashboardFilters>

export const merchantOfDashboardColumns = {
  name: {
    facts: { merchant: { kind: 'text', heading: 'merchants-dashboard:column.merchant', field: 'merchantName' } },
  },
  isDemo: { kind: 'flag', heading: 'merchants-dashboard:demo' },
  blockingAlarms: { kind: 'number', heading: 'merchants-dashboard:column.blockingAlarms' },
  states: {
    sort: false,
    heading: 'merchants-dashboard:column.states',
    facts: {
      blocked: { kind: 'number', heading: 'vocabulary:machineState.blocked' },
      silent: { kind: 'number', heading: 'vocabulary:machineState.silent' },
      warning: { kind: 'number', heading: 'vocabulary:machineState.warning' },
      selling: { kind: 'number', heading: 'vocabulary:machineState.selling' },
    },
  },
  silent: { kind: 'number', heading: 'vocabulary:machineState.silent' },
  machines: { kind: 'number', heading: 'merchants-dashboard:column.machines' },
  valueByDay: { kind: 'own', heading: 'merchants-dashboard:column.days' },
  against: {
    sort: false,
    facts: {
      against: { kind: 'percent', heading: 'merchants-dashboard:column.against' },
      usual: { kind: 'amount', heading: 'export:column.usual' },
      usualDays: { kind: 'number', heading: 'merchants-dashboard:column.usualDays' },
    },
  },
  value: { sort: false, kind: 'amount', heading: 'merchants-dashboard:column.value' },
  vends: { sort: false, kind: 'number', heading: 'merchants-dashboard:column.vends' },
} as const satisfies ListColumns

/** `attention`: by blocking alarms, then by machines that are blocked, silent or warned of. */
export const merchantOfDashboardOrds = ordsOf(merchantOfDashboardColumns, 'attention')

export const merchantsDashboard = {
  listMerchantsDashboard: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/merchants-dashboard',
    summary: 'List today’s figures of each merchant, most urgent first',
    needs: 'dashboard.read',
    topics: ['machine', 'alarm', 'transaction', 'command', 'group'],
    query: MerchantOfDashboardFilters.extend(paged(merchantOfDashboardOrds)),
    ok: pageOf(MerchantOfDashboard),
  }),
}

/** The list as a file. */
export const exportedMerchantsDashboard = {
  row: merchantsDashboard.listMerchantsDashboard,
  filters: MerchantOfDashboardFilters,
  ords: merchantOfDashboardOrds,
  columns: merchantOfDashboardColumns,
} as const satisfies ExportedList
