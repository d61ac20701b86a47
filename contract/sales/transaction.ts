import { z } from 'zod'
import { Comparison } from '../frame/comparison.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { ofFeature } from '../frame/of-feature.ts'
import { periodPresets } from '../frame/period.ts'
import {
  Flag,
  Instant,
  LineText,
  MinorUnits,
  oneOrMany,
  ordered,
  paged,
  pageOf,
  period,
  Search,
  Text,
} from '../frame/shapes.ts'
import { saleRefusals } from '../vocabulary/cashless.ts'
import { ProductType } from '../vocabulary/catalogue/product.ts'
import { MediaSource, MediaType, PriceTable, TransactionType } from '../vocabulary/transaction.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { SaleTerms } from './terms.ts'

/** A transaction. `createdAt` is when it happened (corrected for the machine's clock), `machineTime` what the machine's clock said, `savedAt` when it was stored. */
export const Transaction = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  type: TransactionType,
  mediaType: MediaType,
  mediaSource: MediaSource,
  /** The medium type that paid: the machine's word, else concluded. A key loaded with coins is paid in cash. */
  paidWith: MediaType,
  priceLine: ofFeature('vending', z.int().nullable(), 'price'),
  priceTable: ofFeature('vending', PriceTable.nullable(), 'price'),
  /** The merchant's product that the machine's code means, else as the machine named it. */
  product: ofFeature('vending', z.string().nullable()),
  /** As the machine named it. */
  sentProduct: ofFeature('vending', z.string().nullable(), 'product'),
  productCode: ofFeature('vending', z.string().nullable(), 'product'),
  value: MinorUnits,
  valueCharge: MinorUnits,
  freeSale: z.boolean(),
  errorSale: z.boolean(),
  mediaSerial: ofFeature('transactionDetails', z.string().nullable(), 'serial'),
  /** The machine sent the placeholder `FFFFFFFF` for a media without a serial; `mediaSerial` is null then. */
  isAnonymousMedia: ofFeature('transactionDetails', z.boolean()),
  /** The registered medium with this serial. */
  mediaId: ofFeature('customerMedia', z.uuid().nullable()),
  /** The medium's customer now; null also for users who may not see customers. */
  customerId: ofFeature('customerMedia', z.uuid().nullable(), 'customer'),
  customerName: ofFeature('customerMedia', z.string().nullable()),
  /** The newest refund of it. */
  refundId: ofFeature('customerMedia', z.uuid().nullable()),
  /** Minor units that may still be refunded: what was charged, less what went back. 0 for what is no sale. */
  refundable: ofFeature('customerMedia', MinorUnits),
  /** Why a failed vend is not refunded to its payer; null: it may be, or the vend did not fail. */
  refundRefusal: ofFeature('customerMedia', z.enum(saleRefusals).nullable()),
  creditCardFileId: ofFeature('transactionDetails', z.string().nullable(), 'cardFile'),
  externalUserId: ofFeature('transactionDetails', z.string().nullable(), 'externalUser'),
  originalTransactionId: ofFeature('transactionDetails', z.uuid().nullable()),
  createdAt: Instant,
  machineTime: ofFeature('transactionDetails', z.string().nullable()),
  savedAt: Instant,
})
export type Transaction = z.infer<typeof Transaction>

/** Where machines are. `terms: ofDay` takes the group and client of each sale's day, otherwise sales follow their machine to where it is today. */
const places = { groupIds: oneOrMany(ids.groupId), clientIds: oneOrMany(ids.clientId), terms: SaleTerms.optional() }

/** What a sale may lack: its product, or the machine's group or client. */
export const lacks = ['product', 'productType', 'parameter', 'priceTable', 'group', 'client'] as const
export type Lack = (typeof lacks)[number]

export const TransactionFilters = z.strictObject({
  ...period,
  search: Search.optional(),
  ...places,
  posIds: oneOrMany(ids.pastPosId),
  types: oneOrMany(z.coerce.number().pipe(TransactionType)),
  mediaTypes: oneOrMany(z.coerce.number().pipe(MediaType)),
  mediaSources: oneOrMany(z.coerce.number().pipe(MediaSource)),
  /** Media types that paid: 1 lists keys loaded in cash as well. */
  paidWith: oneOrMany(z.coerce.number().pipe(MediaType)),
  freeSale: Flag.optional(),
  errorSale: Flag.optional(),
  /** Names of products, else what machines call them. */
  products: ofFeature('vending', oneOrMany(LineText.max(160))),
  productTypes: ofFeature('vending', oneOrMany(ProductType)),
  /** Sales of products with one of these values of a parameter. */
  parameter: ofFeature('vending', LineText.max(60).optional()),
  parameterValues: ofFeature('vending', oneOrMany(LineText.max(120))),
  priceTables: ofFeature('vending', oneOrMany(z.coerce.number().pipe(PriceTable))),
  /** Hours of the day by the merchant's clock. */
  hours: oneOrMany(z.coerce.number().int().min(0).max(23)),
  /** Sales without any of these. */
  without: oneOrMany(z.enum(lacks)),
  /** Paid back, or not. */
  refunded: ofFeature('customerMedia', Flag.optional()),
  mediaIds: ofFeature('customerMedia', oneOrMany(ids.mediaId)),
  customerIds: ofFeature('customerMedia', oneOrMany(ids.customerId)),
})
export type TransactionFilters = z.infer<typeof TransactionFilters>

/** Statistics come from hourly and daily sums, which contain no single sales. */
export const StatsFilters = z.strictObject({
  ...period,
  ...places,
  posIds: oneOrMany(ids.pastPosId),
  types: oneOrMany(z.coerce.number().pipe(TransactionType)),
  mediaTypes: oneOrMany(z.coerce.number().pipe(MediaType)),
  mediaSources: oneOrMany(z.coerce.number().pipe(MediaSource)),
  /** Names of products, else what machines call them. */
  products: ofFeature('vending', oneOrMany(LineText.max(160))),
})
export type StatsFilters = z.infer<typeof StatsFilters>

/** Sums over some transactions, in minor units of `currency`. `count` includes failed ones, `value` does not: their money is `errorValue`. */
export const Sums = z.strictObject({
  currency: Currency,
  count: z.int(),
  value: MinorUnits,
  errorValue: MinorUnits,
  valueCharge: MinorUnits,
  freeCount: z.int(),
  errorCount: z.int(),
})
export type Sums = z.infer<typeof Sums>

export const statsSteps = ['hour', 'day', 'week', 'month'] as const
export const StatsStep = z.enum(statsSteps)
export type StatsStep = z.infer<typeof StatsStep>

/** Sums of one stretch of local time; `start` is local to the merchant (`2026-11-21T08:00` for hours, else a day). */
export const PeriodSums = Sums.extend({ start: z.string() })
export type PeriodSums = z.infer<typeof PeriodSums>

export const StatsOfPeriod = z.strictObject({ step: StatsStep, totals: z.array(Sums), series: z.array(PeriodSums) })
export type StatsOfPeriod = z.infer<typeof StatsOfPeriod>

/** The figures to compare with, as the mean over the compared periods; null without a comparison. */
export const SumsBefore = z.strictObject({
  value: z.number(),
  count: z.number(),
  freeCount: z.number(),
  errorCount: z.number(),
})
export type SumsBefore = z.infer<typeof SumsBefore>

/** `compare`: each machine beside its figures of another period; `preset` says that the days are those of a preset, such as "this month". */
export const PosStatsFilters = StatsFilters.extend({
  compare: Comparison.optional(),
  preset: z.enum(periodPresets).optional(),
})
export type PosStatsFilters = z.infer<typeof PosStatsFilters>

export const PosSums = Sums.extend({
  before: SumsBefore.nullable(),
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  merchantId: z.uuid(),
  merchantName: z.string(),
})
export type PosSums = z.infer<typeof PosSums>

/** The uses of a code in the period. */
export const UsedCode = Sums.extend({ code: z.int() })
export type UsedCode = z.infer<typeof UsedCode>

/** Sales of a product in the period; null: without a product. */
export const UsedProduct = Sums.extend({ product: z.string().nullable() })
export type UsedProduct = z.infer<typeof UsedProduct>

/** Sales from a price list in the period; null: without a list. */
export const UsedPriceTable = Sums.extend({ code: PriceTable.nullable() })
export type UsedPriceTable = z.infer<typeof UsedPriceTable>

export const transactionColumns = {
  createdAt: { kind: 'instant', as: 'minute', heading: 'transaction:column.time' },
  machine: {
    sort: false,
    facts: {
      machine: { kind: 'place', of: 'machine', heading: 'transaction:column.machine' },
      machineSerial: { kind: 'text', heading: 'transaction:fact.serial' },
    },
  },
  merchant: { sort: false, kind: 'text', heading: 'transaction:column.merchant' },
  type: { sort: false, kind: 'word', heading: 'transaction:column.type', of: 'transactionType' },
  product: {
    sort: false,
    facts: {
      product: { kind: 'text', heading: 'transaction:column.product' },
      productCode: { kind: 'text', heading: 'transaction:fact.productCode' },
    },
  },
  price: {
    sort: false,
    facts: {
      priceLine: { kind: 'number', heading: 'transaction:column.price' },
      priceTable: { kind: 'word', heading: 'transaction:fact.table', of: 'priceTable' },
    },
  },
  media: {
    sort: false,
    heading: 'transaction:column.media',
    facts: {
      mediaType: { kind: 'word', heading: 'transaction:fact.mediaType', of: 'mediaType' },
      mediaSource: { kind: 'word', heading: 'transaction:fact.mediaSource', of: 'mediaSource' },
    },
  },
  paidWith: { sort: false, kind: 'word', heading: 'transaction:fact.paidWith', of: 'mediaType' },
  serial: { sort: false, kind: 'text', heading: 'transaction:column.serial' },
  /** Files omit the customer: their readers may not be allowed to see customers. */
  customer: { sort: false, kind: 'place', of: 'customer', heading: 'transaction:column.customer', only: 'screen' },
  flags: {
    sort: false,
    heading: 'transaction:column.flags',
    facts: {
      free: { kind: 'flag', heading: 'transaction:fact.free' },
      error: { kind: 'flag', heading: 'transaction:fact.error' },
      failedCharge: { kind: 'amount', heading: 'transaction:fact.failedCharge' },
    },
  },
  savedAt: { sort: false, kind: 'instant', as: 'minute', heading: 'transaction:column.saved' },
  charge: { sort: false, kind: 'amount', heading: 'transaction:column.charge', field: 'valueCharge' },
  value: { sort: false, kind: 'amount', heading: 'transaction:column.value' },
  machineTime: { kind: 'text', heading: 'transaction:fact.machineTime', only: 'file' },
  cardFile: { kind: 'text', heading: 'transaction:fact.cardFile', only: 'file' },
  externalUser: { kind: 'text', heading: 'transaction:fact.externalUser', only: 'file' },
  id: { kind: 'plain', heading: 'transaction:fact.id', only: 'file' },
} as const satisfies ListColumns

export const transactionOrds = ordsOf(transactionColumns, 'createdAt')

export const posSumsColumns = {
  posName: { facts: { machine: { kind: 'text', heading: 'transaction:column.machine' } } },
  merchant: { kind: 'text', heading: 'transaction:column.merchant' },
  serial: { kind: 'text', heading: 'transaction:fact.serial', field: 'posSerial' },
  count: { kind: 'number', heading: 'transaction:stats.count' },
  average: { kind: 'amount', heading: 'transaction:stats.average' },
  freeCount: { facts: { free: { kind: 'number', heading: 'transaction:stats.free' } } },
  errorCount: {
    facts: {
      errors: { kind: 'number', heading: 'transaction:stats.errors' },
      failedCharge: { kind: 'amount', heading: 'transaction:fact.failedCharge' },
    },
  },
  share: { kind: 'percent', heading: 'transaction:stats.column.share', ord: 'value' },
  charge: { kind: 'amount', heading: 'transaction:column.charge', only: 'file' },
  countChange: {
    heading: 'transaction:stats.column.countChange',
    facts: {
      countBefore: { kind: 'number', heading: 'transaction:stats.column.countBefore' },
      countChange: { kind: 'percent', heading: 'transaction:stats.column.countChange' },
    },
  },
  change: {
    heading: 'transaction:stats.column.change',
    facts: {
      valueBefore: { kind: 'amount', heading: 'transaction:stats.column.before' },
      change: { kind: 'percent', heading: 'transaction:stats.column.change' },
    },
  },
  value: { kind: 'amount', heading: 'transaction:stats.sales' },
} as const satisfies ListColumns

/** Changes are in either direction, the largest first; without a comparison, they are the sums themselves. */
export const posSumsOrds = ordsOf(posSumsColumns, 'value')

/** A page of a list that grows for ever: `next` and `previous` lead to the neighbouring pages at the same cost at any depth. */
const neighbours = { next: z.string().nullable(), previous: z.string().nullable() }

const fails = ['PeriodReversed', 'ClientNotFound'] as const

const pageByPage = {
  method: 'GET',
  summary: 'List transactions',
  needs: 'transaction.read',
  topics: ['transaction'],
  query: TransactionFilters.extend({ ...paged(transactionOrds), cursor: Text.max(200).optional() }),
  ok: pageOf(Transaction).extend(neighbours),
  fails,
} as const

export const transactions = {
  listTransactions: endpoint({ ...pageByPage, path: '/merchants/{merchantId}/transactions/paged' }),
  /** The same call by its shorter address. */
  listTransactionPages: endpoint({ ...pageByPage, path: '/merchants/{merchantId}/transactions' }),
  listAllTransactions: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/all',
    summary: 'List transactions without pages, up to the export limit; `capped` is true if there are more',
    needs: 'transaction.read',
    query: TransactionFilters.extend(ordered(transactionOrds)),
    ok: pageOf(Transaction),
    fails,
    timeOut: 'large',
  }),
  getTransaction: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/{transactionId}',
    summary: 'Get a transaction',
    needs: 'transaction.read',
    topics: ['transaction'],
    feature: 'transactionDetails',
    ok: Transaction,
    fails: ['TransactionNotFound'],
  }),
  statsOfPeriod: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/stats',
    summary: 'Get transaction statistics of a period by interval',
    needs: 'transaction.read',
    topics: ['transaction'],
    query: StatsFilters.extend({ step: StatsStep.optional() }),
    ok: StatsOfPeriod,
    fails,
  }),
  dataBegins: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/first-day',
    summary: 'Get the day on which the data of the chosen machines begin; periods before it are not compared',
    needs: 'transaction.read',
    topics: ['machine'],
    query: StatsFilters.pick({ posIds: true, groupIds: true, clientIds: true }),
    ok: z.strictObject({ firstDay: z.iso.date().nullable() }),
  }),
  statsByPos: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/stats/pos',
    summary: 'Get transaction statistics of a period by point of sale',
    needs: 'transaction.read',
    topics: ['transaction'],
    query: PosStatsFilters.extend(paged(posSumsOrds)),
    ok: pageOf(PosSums),
    fails,
  }),
  typesUsed: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/types',
    summary: 'List transaction types used in a period',
    needs: 'transaction.read',
    topics: ['transaction'],
    query: StatsFilters,
    ok: z.array(UsedCode),
    fails,
  }),
  mediaTypesUsed: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/media-types',
    summary: 'List media types used in a period',
    needs: 'transaction.read',
    topics: ['transaction'],
    query: StatsFilters,
    ok: z.array(UsedCode),
    fails,
  }),
  mediaSourcesUsed: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/media-source-types',
    summary: 'List media source types used in a period',
    needs: 'transaction.read',
    topics: ['transaction'],
    query: StatsFilters,
    ok: z.array(UsedCode),
    fails,
  }),
  productsUsed: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/products',
    summary: 'List the 200 best-selling products of a period',
    needs: 'transaction.read',
    topics: ['transaction'],
    feature: 'vending',
    query: StatsFilters,
    ok: z.array(UsedProduct),
    fails,
  }),
  priceTablesUsed: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/transactions/price-tables',
    summary: 'List price lists used in a period',
    needs: 'transaction.read',
    topics: ['transaction'],
    feature: 'vending',
    query: StatsFilters,
    ok: z.array(UsedPriceTable),
    fails,
  }),
}

/** The list as a file. */
export const exportedTransactions = {
  row: transactions.listTransactions,
  filters: TransactionFilters,
  ords: transactionOrds,
  columns: transactionColumns,
} as const satisfies ExportedList

/** The list as a file. */
export const exportedStatsByPos = {
  row: transactions.statsByPos,
  filters: PosStatsFilters,
  ords: posSumsOrds,
  columns: posSumsColumns,
} as const satisfies ExportedList
