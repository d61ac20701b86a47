import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { ofFeature } from '../frame/of-feature.ts'
import { Instant, MinorUnits, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { StockCounter, StockFinding, StockStatus } from '../vocabulary/stock.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** The stock of a managed machine in a few numbers. They follow the levels within a minute. */
export const Supply = z.strictObject({
  /** The machine's. */
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  posName: z.string(),
  posSerial: z.string(),
  groupName: z.string().nullable(),
  clientName: z.string().nullable(),
  planogramName: ofFeature('vending', z.string().nullable()),
  /** The worst of its selections. */
  status: StockStatus,
  selections: z.int(),
  /** Of all selections with a capacity. */
  level: z.int(),
  capacity: z.int(),
  /** Null: no selection has a capacity. */
  fillPercent: z.int().nullable(),
  out: z.int(),
  low: z.int(),
  countedBy: StockCounter,
  /** Selections where the machine's number differs over two reports, and those with a refill that waits for the machine. */
  differing: z.int(),
  waiting: z.int(),
  /** When the first selection is empty, by the usual sales of each weekday; in the past if one is. Null: none will be. */
  emptyAt: Instant.nullable(),
  /** An estimate: what sold-out selections usually earn per day. */
  lostPerDay: MinorUnits,
  computedAt: Instant,
})
export type Supply = z.infer<typeof Supply>

export const SupplyFilters = z.strictObject({
  /** In the machine's name and serial, two letters or more. */
  search: Search.optional(),
  groupIds: oneOrMany(ids.groupId),
  clientId: ids.clientId.optional(),
  planogramId: ofFeature('vending', ids.planogramId).optional(),
  statuses: oneOrMany(z.coerce.number().pipe(StockStatus)),
  countedBy: oneOrMany(StockCounter),
  /** Machines with a difference, or with a refill that waits. */
  findings: oneOrMany(StockFinding),
  /** A selection is empty within so many days, or is so now. */
  emptyWithinDays: z.coerce.number().int().min(0).max(365).optional(),
})
export type SupplyFilters = z.infer<typeof SupplyFilters>

export const supplyColumns = {
  machine: {
    ord: 'posName',
    facts: {
      machine: { kind: 'text', heading: 'supply:column.machine' },
      machineSerial: { kind: 'text', heading: 'supply:column.serial' },
    },
  },
  merchant: { kind: 'text', heading: 'supply:column.merchant' },
  status: { kind: 'status', heading: 'supply:column.status', of: 'stockStatus' },
  emptyAt: { kind: 'instant', heading: 'supply:column.emptyAt' },
  fill: { kind: 'number', unit: 'percent', heading: 'supply:column.fill', field: 'fillPercent' },
  out: { kind: 'number', heading: 'supply:column.out' },
  low: { kind: 'number', heading: 'supply:column.low' },
  differing: { kind: 'number', heading: 'supply:column.differing' },
  waiting: { kind: 'number', heading: 'supply:column.waiting' },
  countedBy: { kind: 'word', heading: 'supply:column.countedBy', of: 'stockCounter' },
  lost: { kind: 'amount', heading: 'supply:column.lost', field: 'lostPerDay' },
  groupName: { kind: 'text', heading: 'supply:column.group' },
  client: { kind: 'text', heading: 'supply:column.client', field: 'clientName' },
  planogram: { kind: 'text', heading: 'supply:column.planogram', field: 'planogramName' },
} as const satisfies ListColumns

export const supplyOrds = ordsOf(supplyColumns, 'emptyAt')

export const supplies = {
  listSupplies: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/stock',
    summary: 'List points of sale with managed stock: fill, sold-out selections and when the first is empty',
    needs: 'stock.write',
    feature: 'productStock',
    topics: ['stock', 'machine'],
    query: SupplyFilters.extend(paged(supplyOrds)),
    ok: pageOf(Supply).extend(withTotals),
    fails: ['FeatureFilterOfAll'],
  }),
}

/** The list as a file. */
export const exportedSupplies = {
  row: supplies.listSupplies,
  filters: SupplyFilters,
  ords: supplyOrds,
  columns: supplyColumns,
} as const satisfies ExportedList
