import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Flag, Instant, MinorUnits, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { mostPrice, PriceSource, PriceSync, PriceWarning } from '../vocabulary/catalogue/price.ts'
import { RemoteCommandResult, RemoteCommandStatus } from '../vocabulary/remote-command.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** A price in minor units of the merchant's currency. */
export const Price = MinorUnits.min(0).max(mostPrice)
/** A price table, 1 to 8. */
export const PriceTableNumber = z.int().min(1).max(8)

/** A price with the instant it was seen. */
const Seen = z.strictObject({ price: MinorUnits, at: Instant }).nullable()

/** Everything known of the price of one selection in one price table, side by side. */
export const TablePrice = z.strictObject({
  priceTable: PriceTableNumber,
  /** What the merchant wants; null: not set here. */
  wanted: MinorUnits.nullable(),
  wantedAt: Instant.nullable(),
  /** What a command carried last, and when. */
  sent: Seen,
  /** What the machine reported last; null: not reported. */
  reported: Seen,
  /** What the last audit said (PA1, PA7). */
  audited: Seen,
  /** What the last sale cost. */
  charged: Seen,
  sync: PriceSync,
  /** What sales at another price than the target cost and is not closed; null: nothing. */
  loss: z.strictObject({ since: Instant, sales: z.int(), lost: MinorUnits }).nullable(),
  /** Later prices with their plans, the next one first. */
  planned: z.array(z.strictObject({ price: MinorUnits, startsAt: Instant, pricePlanId: z.uuid() })),
})
export type TablePrice = z.infer<typeof TablePrice>

/** The prices of one selection. */
export const PriceRow = z.strictObject({
  selection: z.string(),
  product: z.string().nullable(),
  productId: z.uuid().nullable(),
  currency: Currency,
  /** In the order of the tables; tables without any price are missing. */
  prices: z.array(TablePrice),
  /** The worst of its tables. */
  sync: PriceSync,
  /** Not all of its tables have the same price. */
  isDiffering: z.boolean(),
  updatedAt: Instant.nullable(),
})
export type PriceRow = z.infer<typeof PriceRow>

export const PriceFilters = z.strictObject({
  /** A part of the selection or the product. */
  search: Search.optional(),
  /** Only those of which tables differ, or do not. */
  differing: Flag.optional(),
  syncs: oneOrMany(PriceSync),
  /** Exactly these. */
  selections: oneOrMany(SelectionName),
})
export type PriceFilters = z.infer<typeof PriceFilters>

export const priceColumns = {
  selection: { kind: 'text', heading: 'price:column.selection' },
  product: { kind: 'text', heading: 'price:column.product' },
  list1: { kind: 'amount', heading: 'vocabulary:priceTable.cash1' },
  list2: { kind: 'amount', heading: 'vocabulary:priceTable.key1' },
  list3: { kind: 'amount', heading: 'vocabulary:priceTable.key2' },
  list4: { kind: 'amount', heading: 'vocabulary:priceTable.key3' },
  list5: { kind: 'amount', heading: 'vocabulary:priceTable.key4' },
  list6: { kind: 'amount', heading: 'vocabulary:priceTable.cashless1' },
  list7: { kind: 'amount', heading: 'vocabulary:priceTable.cashless2' },
  list8: { kind: 'amount', heading: 'vocabulary:priceTable.cash2' },
  sync: { kind: 'status', heading: 'price:column.sync', of: 'priceSync' },
  differing: { kind: 'flag', heading: 'price:differing.yes' },
  updatedAt: { kind: 'instant', heading: 'price:column.updatedAt' },
} as const satisfies ListColumns

export const priceOrds = ordsOf(priceColumns, 'selection')

/** The state of all prices of a machine. */
export const PriceSummary = z.strictObject({
  sync: z.int(),
  pending: z.int(),
  editedOnDevice: z.int(),
  chargedOtherwise: z.int(),
  /** Wanted prices that were never sent, or changed since. */
  unsent: z.int(),
  /** The command that carried prices last. */
  command: z
    .strictObject({
      id: z.uuid(),
      status: RemoteCommandStatus,
      result: RemoteCommandResult.nullable(),
      resultInfo: z.string().nullable(),
      createdAt: Instant,
      createdBy: z.string().nullable(),
      /** When the machine claimed it: from then on it cannot be cancelled. */
      startedAt: Instant.nullable(),
      executedAt: Instant.nullable(),
    })
    .nullable(),
})
export type PriceSummary = z.infer<typeof PriceSummary>

/**
 * A change of one price. `before` is the wanted price that the user saw; when another user has changed it meanwhile, the change is
 * a conflict. A null price stops wanting one: the machine keeps its own.
 */
export const PriceEdit = z.strictObject({
  selection: SelectionName,
  priceTable: PriceTableNumber,
  before: MinorUnits.nullable(),
  price: Price.nullable(),
  /** The user has confirmed this price although it is unusual. */
  isConfirmed: z.boolean().default(false),
})
export type PriceEdit = z.input<typeof PriceEdit>

/** Facts of `PricesUnusual`: the prices that need a confirmation of their own. `before` is the target, otherwise the machine's price. */
export const UnusualPrices = z.strictObject({
  prices: z.array(
    z.strictObject({
      selection: z.string(),
      priceTable: z.int(),
      before: MinorUnits.nullable(),
      price: MinorUnits,
      warning: PriceWarning,
    }),
  ),
})
export type UnusualPrices = z.infer<typeof UnusualPrices>

/** At most so many prices in one edit of one machine. */
export const mostPriceEdits = 2000

const isUnique = (keys: readonly string[]) => new Set(keys).size === keys.length
export const PriceEdits = z
  .array(PriceEdit)
  .min(1)
  .max(mostPriceEdits)
  .refine((edits) => isUnique(edits.map(({ selection, priceTable }) => `${priceTable} ${selection.toLowerCase()}`)))

/** A price that another user changed meanwhile. */
export const PriceConflict = z.strictObject({
  selection: z.string(),
  priceTable: z.int(),
  current: MinorUnits.nullable(),
  changedBy: z.string().nullable(),
  changedAt: Instant.nullable(),
})
export type PriceConflict = z.infer<typeof PriceConflict>

/** A past change of a price. */
export const PriceChange = z.strictObject({
  id: z.uuid(),
  at: Instant,
  selection: z.string(),
  product: z.string().nullable(),
  priceTable: z.int(),
  source: PriceSource,
  before: MinorUnits.nullable(),
  after: MinorUnits.nullable(),
  currency: Currency,
  /** Null: the machine itself, or a user who is not shown. */
  changedBy: z.string().nullable(),
})
export type PriceChange = z.infer<typeof PriceChange>

export const PriceChangeFilters = z.strictObject({
  search: Search.optional(),
  priceTables: oneOrMany(z.coerce.number().pipe(PriceTableNumber)),
  sources: oneOrMany(PriceSource),
  /** Exactly these. */
  selections: oneOrMany(SelectionName),
})
export type PriceChangeFilters = z.infer<typeof PriceChangeFilters>

export const priceChangeColumns = {
  at: { kind: 'instant', heading: 'price:history.at' },
  selection: { kind: 'text', heading: 'price:column.selection' },
  product: { kind: 'text', heading: 'price:column.product' },
  priceTable: { kind: 'word', heading: 'price:column.priceTable', of: 'priceTable' },
  before: { kind: 'amount', heading: 'price:history.before' },
  after: { kind: 'amount', heading: 'price:history.after' },
  source: { kind: 'word', heading: 'price:history.source', of: 'priceSource' },
  changedBy: { sort: false, kind: 'text', heading: 'price:history.changedBy' },
} as const satisfies ListColumns

export const priceChangeOrds = ordsOf(priceChangeColumns, 'at')

const path = '/merchants/{merchantId}/pos/{posId}/prices' as const

export const prices = {
  listPrices: endpoint({
    method: 'GET',
    path,
    summary: 'List prices of a point of sale by selection: wanted, sent, reported, audited and charged',
    needs: 'machine.read',
    finds: ['posId'],
    topics: ['stock', 'price', 'command', 'product'],
    feature: 'vending',
    query: PriceFilters.extend(paged(priceOrds)),
    /** `priceTables`: the tables that the machine has reported or that have a wanted price, regardless of filters. */
    ok: pageOf(PriceRow).extend({ priceTables: z.array(z.int()), differing: z.int(), summary: PriceSummary }),
    fails: ['MachineNotFound'],
  }),
  updatePrices: endpoint({
    method: 'PUT',
    path,
    summary: 'Save wanted prices of a point of sale without sending them',
    needs: 'price.write',
    feature: 'vending',
    body: z.strictObject({ edits: PriceEdits }),
    ok: z.strictObject({ saved: z.int(), conflicts: z.array(PriceConflict) }),
    fails: ['MachineNotFound', 'SelectionsNotFound', 'PricesUnusual'],
  }),
  sendPrices: endpoint({
    method: 'POST',
    path: `${path}/send`,
    summary: 'Send the wanted prices that a point of sale does not have',
    needs: 'price.write',
    feature: 'vending',
    ok: z.strictObject({ commandId: z.uuid(), sent: z.int(), left: z.int() }),
    status: 201,
    fails: ['MachineNotFound', 'NothingToSend', 'RemoteCommandPending'],
  }),
  cancelPrices: endpoint({
    method: 'POST',
    path: `${path}/cancel`,
    summary: 'Cancel prices on their way to a point of sale, unless the machine has started with them',
    needs: 'price.write',
    feature: 'vending',
    fails: ['MachineNotFound', 'NothingToSend', 'RemoteCommandNotCancellable'],
  }),
  listPriceChanges: endpoint({
    method: 'GET',
    path: `${path}/history`,
    summary: 'List price changes of a point of sale, by users and at the machine',
    needs: 'machine.read',
    finds: ['posId'],
    topics: ['stock', 'price'],
    feature: 'vending',
    query: PriceChangeFilters.extend(paged(priceChangeOrds)),
    ok: pageOf(PriceChange),
    fails: ['MachineNotFound'],
  }),
}

/** A column to each price list; a machine has some of them. */
export const exportedPrices = {
  row: prices.listPrices,
  filters: PriceFilters,
  ords: priceOrds,
  columns: priceColumns,
} as const satisfies ExportedList

/** The list as a file. */
export const exportedPriceChanges = {
  row: prices.listPriceChanges,
  filters: PriceChangeFilters,
  ords: priceChangeOrds,
  columns: priceChangeColumns,
} as const satisfies ExportedList
