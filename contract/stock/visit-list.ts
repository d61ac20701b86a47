import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Flag, Instant, MinorUnits, oneOrMany, optionalPeriod, paged, pageOf, Search } from '../frame/shapes.ts'
import { SaleTerms } from '../sales/terms.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** A visit in the list. Amounts are null where they are not known, and for users who do not see products. */
export const VisitRow = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  at: Instant,
  /** Null if the reader may not see the name. */
  by: z.string().nullable(),
  /** Null outside of rounds, and if the round is deleted. */
  roundId: z.uuid().nullable(),
  roundName: z.string().nullable(),
  /** Pieces. */
  loaded: z.int(),
  waste: z.int(),
  cashTaken: z.boolean(),
  bagNumber: z.string().nullable(),
  /** What was counted of the cash box that it took; null: not yet, or none. */
  counted: MinorUnits.nullable(),
  /** What the merchant had set when the visit arrived. */
  cost: MinorUnits.nullable(),
  /** The cost of what was thrown away, of products with known cost. */
  wasted: MinorUnits.nullable(),
  note: z.string().nullable(),
})
export type VisitRow = z.infer<typeof VisitRow>

export const VisitFilters = z.strictObject({
  /** In the machine's name, serial and address, two letters or more. */
  search: Search.optional(),
  groupIds: oneOrMany(ids.groupId),
  clientIds: oneOrMany(ids.clientId),
  posIds: oneOrMany(ids.pastPosId),
  /** Technicians; an unknown user has no visits. */
  technicianIds: oneOrMany(z.uuid()),
  /** Of rounds of these routes. */
  routeIds: oneOrMany(ids.routeId),
  /** Whether pieces were thrown away. */
  hasWaste: Flag.optional(),
  cashTaken: Flag.optional(),
  /** Whether groups and clients are those of the day of the visit. */
  terms: SaleTerms.optional(),
  ...optionalPeriod,
})
export type VisitFilters = z.infer<typeof VisitFilters>

export const visitColumns = {
  machine: {
    ord: 'posName',
    facts: {
      machine: { kind: 'text', heading: 'visits:column.machine' },
      machineSerial: { kind: 'text', heading: 'visits:column.serial' },
    },
  },
  merchant: { kind: 'text', heading: 'visits:column.merchant' },
  at: { kind: 'instant', heading: 'visits:column.at' },
  by: { kind: 'person', heading: 'visits:column.by' },
  round: { kind: 'text', heading: 'visits:column.round', field: 'roundName' },
  loaded: { kind: 'number', heading: 'visits:column.loaded' },
  waste: { kind: 'number', heading: 'visits:column.waste' },
  cashTaken: { kind: 'flag', heading: 'visits:column.cashTaken' },
  bagNumber: { kind: 'text', heading: 'visits:column.bagNumber' },
  counted: { kind: 'amount', heading: 'visits:column.counted', sort: false },
  cost: { kind: 'amount', heading: 'visits:column.cost', sort: false },
  wasted: { kind: 'amount', heading: 'visits:column.wasted', sort: false },
  note: { kind: 'text', heading: 'visits:column.note' },
} as const satisfies ListColumns
export const visitOrds = ordsOf(visitColumns, 'at')

export const visitLists = {
  listVisits: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/visits',
    summary: 'List visits at machines',
    needs: 'round.read',
    topics: ['round', 'stock'],
    feature: 'productStock',
    query: VisitFilters.extend(paged(visitOrds)),
    ok: pageOf(VisitRow).extend(withTotals),
    fails: ['PeriodReversed'],
  }),
}

/** The list as a file. */
export const exportedVisits = {
  row: visitLists.listVisits,
  filters: VisitFilters,
  ords: visitOrds,
  columns: visitColumns,
} as const satisfies ExportedList
