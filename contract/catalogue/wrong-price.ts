import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import type { ListColumns } from '../frame/list-columns.ts'
import { Flag, Instant, MinorUnits, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { PriceFault } from '../vocabulary/catalogue/price.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { PriceTableNumber } from './price.ts'

/** A price of a machine that is not the wanted one, with what it cost since: wanted minus charged, summed over its sales. */
export const WrongPrice = z.strictObject({
  /** Machine, price table and selection. */
  id: z.string(),
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
  wanted: MinorUnits,
  /** The price that is wrong: charged, else audited, else reported. */
  actual: MinorUnits,
  fault: PriceFault,
  since: Instant,
  /** Sales at a wrong price since then. */
  sales: z.int(),
  /** Positive: money lost; negative: customers paid too much. */
  lost: MinorUnits,
})
export type WrongPrice = z.infer<typeof WrongPrice>

export const WrongPriceFilters = z.strictObject({
  /** In the machine's name and serial, three letters or more. */
  search: Search.optional(),
  groupIds: oneOrMany(ids.groupId),
  posIds: oneOrMany(ids.pastPosId),
  faults: oneOrMany(PriceFault),
  priceTables: oneOrMany(z.coerce.number().pipe(PriceTableNumber)),
  /** For longer than a day. */
  isOld: Flag.optional(),
})
export type WrongPriceFilters = z.infer<typeof WrongPriceFilters>

export const wrongPriceOrds = ['since', 'lost', 'sales', 'posName', 'selection'] as const

export const wrongPriceColumns = {
  machine: {
    machine: { kind: 'text', heading: 'price:column.machine' },
    machineSerial: { kind: 'text', heading: 'price:column.serial' },
  },
  merchant: { kind: 'text', heading: 'price:column.merchant' },
  selection: { kind: 'text', heading: 'price:column.selection' },
  product: { kind: 'text', heading: 'price:column.product' },
  priceTable: { kind: 'word', heading: 'price:column.priceTable', of: 'priceTable' },
  wanted: { kind: 'amount', heading: 'price:truth.wanted' },
  actual: { kind: 'amount', heading: 'price:truth.actual' },
  fault: { kind: 'word', heading: 'price:column.fault', of: 'priceFault' },
  since: { kind: 'instant', heading: 'price:column.since' },
  sales: { kind: 'number', heading: 'price:column.sales' },
  lost: { kind: 'amount', heading: 'price:column.lost' },
} as const satisfies ListColumns

export const wrongPrices = {
  listWrongPrices: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/wrong-prices',
    summary: 'List prices of points of sale that are not the wanted ones, with what they cost',
    needs: 'machine.read',
    feature: 'vending',
    topics: ['price', 'stock', 'machine'],
    query: WrongPriceFilters.extend(paged(wrongPriceOrds)),
    /** `old`: wrong for longer than a day, regardless of filters. */
    ok: pageOf(WrongPrice).extend({ old: z.int() }),
  }),
}
