import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import {
  Flag,
  Instant,
  LineText,
  MinorUnits,
  oneOrMany,
  optionalPeriod,
  paged,
  pageOf,
  Search,
} from '../frame/shapes.ts'
import { keptStates } from '../vocabulary/cashless.ts'
import {
  webPaymentKinds,
  webPaymentReasons,
  webPaymentSources,
  webPaymentStates,
  webPaymentVerdicts,
} from '../vocabulary/web-payment.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** 0 waiting, 1 success, 2 error. */
export const WebPaymentResultNumber = z.int().min(0).max(2)

export const WebPaymentOrderRow = z.strictObject({
  id: z.uuid(),
  version: Version,
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  serviceId: z.uuid(),
  serviceName: z.string(),
  serviceType: z.int(),
  kind: z.enum(webPaymentKinds),
  result: WebPaymentResultNumber,
  reason: z.enum(webPaymentReasons).nullable(),
  amount: MinorUnits,
  currency: Currency,
  /** The part that the provider has taken back. */
  reversedAmount: MinorUnits,
  mediaId: z.uuid().nullable(),
  mediaSerial: z.string().nullable(),
  description: z.string().nullable(),
  /** The provider's number of the payment. */
  transactionNumber: z.string().nullable(),
  createdAt: Instant,
  processedAt: Instant.nullable(),
  /** Reports of the provider that were refused, and a recharge that was kept. */
  findings: z.int(),
})
export type WebPaymentOrderRow = z.infer<typeof WebPaymentOrderRow>

/** A report of the provider about an order. The same report again counts in `times`. */
export const WebPaymentReport = z.strictObject({
  id: z.uuid(),
  source: z.enum(webPaymentSources),
  state: z.enum(webPaymentStates),
  amount: MinorUnits.nullable(),
  currency: z.string().nullable(),
  verdict: z.enum(webPaymentVerdicts),
  times: z.int(),
  firstAt: Instant,
  lastAt: Instant,
})
export type WebPaymentReport = z.infer<typeof WebPaymentReport>

const Details = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const WebPaymentOrder = WebPaymentOrderRow.extend({
  /** Ours, as the provider knows it. */
  reference: z.string(),
  /** The part of the reversed amount that the medium had spent before. */
  unpaid: MinorUnits,
  /** What was sent to the provider and its last answer, without credentials. */
  request: Details,
  response: Details,
  reports: z.array(WebPaymentReport),
  /** The payer's link, while the order waits. */
  link: z.string().nullable(),
  createdBy: z.string().nullable(),
  expiresAt: Instant,
  /** The state of a paid recharge above a limit; null: none was kept. */
  kept: z.enum(keptStates).nullable(),
})
export type WebPaymentOrder = z.infer<typeof WebPaymentOrder>

export const WebPaymentOrderFilters = z.strictObject({
  /** Search in serial, reference, transaction number, service and description. */
  search: Search.optional(),
  results: oneOrMany(z.coerce.number().pipe(WebPaymentResultNumber)),
  kinds: oneOrMany(z.enum(webPaymentKinds)),
  serviceTypes: oneOrMany(z.coerce.number().int().min(0).max(4)),
  mediaId: ids.mediaId.optional(),
  /** Orders with refused reports, or without. */
  hasFindings: Flag.optional(),
  ...optionalPeriod,
})
export type WebPaymentOrderFilters = z.infer<typeof WebPaymentOrderFilters>

export const webPaymentOrderColumns = {
  serviceName: { kind: 'text', heading: 'web-payment-order:column.service' },
  merchant: { kind: 'text', heading: 'web-payment-order:column.merchant' },
  kind: { kind: 'word', heading: 'web-payment-order:column.kind', of: 'webPaymentKind' },
  mediaSerial: { kind: 'serial', heading: 'web-payment-order:column.media' },
  description: { kind: 'text', heading: 'web-payment-order:column.description' },
  amount: { kind: 'amount', heading: 'web-payment-order:column.amount' },
  reversedAmount: { kind: 'amount', heading: 'web-payment-order:column.reversed' },
  result: { kind: 'word', heading: 'web-payment-order:column.result', of: 'webPaymentResult' },
  reason: { kind: 'word', heading: 'web-payment-order:column.reason', of: 'webPaymentReason' },
  transactionNumber: { kind: 'serial', heading: 'web-payment-order:column.transaction' },
  findings: { kind: 'number', heading: 'web-payment-order:column.findings' },
  processedAt: { kind: 'instant', heading: 'web-payment-order:column.processed' },
  createdAt: { kind: 'instant', heading: 'web-payment-order:column.created' },
  id: { kind: 'plain', heading: 'web-payment-order:column.id' },
} as const satisfies ListColumns

export const webPaymentOrderOrds = ordsOf(webPaymentOrderColumns, 'createdAt')

/** The highest amount of an order, in minor units. */
export const highestWebPayment = 100_000_000

const started = {
  /** Made by the caller: the same order sent again is the same order. */
  id: z.uuid(),
  serviceId: z.uuid(),
  amount: z.int().min(1).max(highestWebPayment),
}
/** A recharge of a medium, which is named by its serial. */
export const NewRecharge = z.strictObject({
  kind: z.literal('recharge'),
  ...started,
  serial: LineText.trim().min(1).max(60),
})
/** A payment for something else, which the description names. */
export const NewPayment = z.strictObject({
  kind: z.literal('payment'),
  ...started,
  description: LineText.trim().min(1).max(200),
})
export const NewWebPaymentOrder = z.discriminatedUnion('kind', [NewRecharge, NewPayment])
export type NewWebPaymentOrder = z.output<typeof NewWebPaymentOrder>

export const webPaymentOrders = {
  listWebPaymentOrders: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/webpaymentorders',
    summary: 'List web payment orders',
    needs: 'webPaymentOrder.read',
    feature: 'webPayments',
    topics: ['webPaymentOrder'],
    query: WebPaymentOrderFilters.extend(paged(webPaymentOrderOrds)),
    ok: pageOf(WebPaymentOrderRow).extend(withTotals),
    fails: ['PeriodReversed', 'MediaNotFound'],
  }),
  getWebPaymentOrder: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/webpaymentorders/{webPaymentOrderId}',
    summary: 'Get a web payment order with its request, its response and the provider’s reports',
    needs: 'webPaymentOrder.read',
    feature: 'webPayments',
    topics: ['webPaymentOrder'],
    hasSecret: true,
    ok: WebPaymentOrder,
    fails: ['WebPaymentOrderNotFound'],
  }),
  startWebPayment: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/webpaymentorders',
    summary: 'Start a recharge or a payment: the answer has the payer’s link',
    needs: 'webPaymentOrder.write',
    feature: 'webPayments',
    limit: 'webPaymentStart',
    body: NewWebPaymentOrder,
    hasSecret: true,
    ok: WebPaymentOrder,
    status: 201,
    fails: [
      'MerchantNotSelected',
      'MediaNotFound',
      'WebPaymentServiceNotFound',
      'WebPaymentNotConfigured',
      'WebPaymentCurrencyNotSupported',
      'WebPaymentMediaBlocked',
      'RechargeAboveLimit',
      'WebPaymentOrderIdTaken',
      'WebPaymentNotStarted',
    ],
  }),
  queryWebPayment: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/webpaymentorders/{webPaymentOrderId}/query',
    summary: 'Get the state of an order from its provider',
    needs: 'webPaymentOrder.write',
    feature: 'webPayments',
    limit: 'webPaymentStart',
    hasSecret: true,
    ok: WebPaymentOrder,
    fails: ['WebPaymentOrderNotFound', 'WebPaymentProviderUnavailable'],
  }),
}

/** The list as a file. */
export const exportedWebPaymentOrders = {
  row: webPaymentOrders.listWebPaymentOrders,
  filters: WebPaymentOrderFilters,
  ords: webPaymentOrderOrds,
  columns: webPaymentOrderColumns,
} as const satisfies ExportedList
