import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Flag, Instant, LineText, MinorUnits, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { PriceFault, WrongPriceStatus } from '../vocabulary/catalogue/price.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { PriceTableNumber } from './price.ts'

/**
 * A wrong price of a machine, with its loss: each sale at another price than the target of its moment, target minus charged. It is open until a
 * user closes it.
 */
export const WrongPrice = z.strictObject({
  /** Machine, price table and selection, or the id of a closed one. */
  id: z.string(),
  status: WrongPriceStatus,
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  selection: z.string(),
  product: z.string().nullable(),
  productId: z.uuid().nullable(),
  priceTable: z.int(),
  /** Null: the target was removed. */
  wanted: MinorUnits.nullable(),
  /** The machine's price: what is wrong, charged, else audited, else reported; null: none is known. */
  actual: MinorUnits.nullable(),
  fault: PriceFault,
  since: Instant,
  /** Sales at a wrong price since then. */
  sales: z.int(),
  /** Positive: money lost; negative: customers paid too much. */
  lost: MinorUnits,
  closedAt: Instant.nullable(),
  /** Null: it is open, or the user is not shown. */
  closedBy: z.string().nullable(),
  note: z.string().nullable(),
})
export type WrongPrice = z.infer<typeof WrongPrice>

export const WrongPriceFilters = z.strictObject({
  /** In the machine's name and serial, two letters or more. */
  search: Search.optional(),
  groupIds: oneOrMany(ids.groupId),
  posIds: oneOrMany(ids.pastPosId),
  /** Without any: open ones. */
  statuses: oneOrMany(WrongPriceStatus),
  faults: oneOrMany(PriceFault),
  priceTables: oneOrMany(z.coerce.number().pipe(PriceTableNumber)),
  /** For longer than a day. */
  isOld: Flag.optional(),
})
export type WrongPriceFilters = z.infer<typeof WrongPriceFilters>

export const wrongPriceColumns = {
  machine: {
    ord: 'posName',
    facts: {
      machine: { kind: 'text', heading: 'price:column.machine' },
      machineSerial: { kind: 'text', heading: 'price:column.serial' },
    },
  },
  merchant: { kind: 'text', heading: 'price:column.merchant' },
  selection: { kind: 'text', heading: 'price:column.selection' },
  product: { kind: 'text', heading: 'price:column.product' },
  priceTable: { kind: 'word', heading: 'price:column.priceTable', of: 'priceTable' },
  wanted: { kind: 'amount', heading: 'price:truth.wanted' },
  actual: { kind: 'amount', heading: 'price:truth.actual' },
  status: { kind: 'word', heading: 'price:column.status', of: 'wrongPriceStatus' },
  fault: { kind: 'status', heading: 'price:column.fault', of: 'priceFault' },
  since: { kind: 'instant', heading: 'price:column.since' },
  sales: { kind: 'number', heading: 'price:column.sales' },
  lost: { kind: 'amount', heading: 'price:column.lost' },
  closedAt: { kind: 'instant', heading: 'price:column.closedAt' },
  closedBy: { sort: false, kind: 'text', heading: 'price:column.closedBy' },
  note: { kind: 'text', heading: 'price:column.note' },
} as const satisfies ListColumns

export const wrongPriceOrds = ordsOf(wrongPriceColumns, 'since')

/** At most so many wrong prices are closed by one call. */
export const mostClosed = 500

/** An open wrong price with the loss that the user saw. */
export const OpenLoss = z.strictObject({
  posId: ids.posId,
  selection: SelectionName,
  priceTable: PriceTableNumber,
  sales: z.int().min(0),
  lost: MinorUnits,
})

export const wrongPrices = {
  closeWrongPrices: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/wrong-prices/close',
    summary: 'Close wrong prices with their losses; a later wrong sale opens a price again',
    needs: 'price.write',
    feature: 'vending',
    body: z.strictObject({
      prices: z.array(OpenLoss).min(1).max(mostClosed),
      note: LineText.trim().min(1).max(500).nullable().default(null),
    }),
    /** `changed`: not closed, because the loss is another one now, or closed already. */
    ok: z.strictObject({ closed: z.int(), changed: z.int() }),
    status: 200,
    fails: ['MachineNotFound'],
  }),
  listWrongPrices: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/wrong-prices',
    summary: 'List prices of points of sale that are not the wanted ones, with what they cost',
    needs: 'machine.read',
    feature: 'vending',
    topics: ['price', 'stock', 'machine'],
    query: WrongPriceFilters.extend(paged(wrongPriceOrds)),
    /** `old`: open for longer than a day, regardless of filters. */
    ok: pageOf(WrongPrice).extend({ old: z.int(), ...withTotals }),
  }),
}

/** The list as a file. */
export const exportedWrongPrices = {
  row: wrongPrices.listWrongPrices,
  filters: WrongPriceFilters,
  ords: wrongPriceOrds,
  columns: wrongPriceColumns,
} as const satisfies ExportedList
