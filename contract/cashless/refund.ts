import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Instant, MinorUnits, oneOrMany, optionalPeriod, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { SaleTerms } from '../sales/terms.ts'
import { refundKinds, refundStates } from '../vocabulary/cashless.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { MediaSerialInput } from './media-acts.ts'

/** Credit that the merchant gave back. Amounts are minor units. */
export const Refund = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  mediaId: z.uuid(),
  mediaSerial: z.string(),
  /** `cloud`: credited at once. `machine`: held for one machine, where the medium collects it. */
  kind: z.enum(refundKinds),
  /** `waiting`: not collected yet. Not collected in time, it is cloud credit and `done`. */
  state: z.enum(refundStates),
  amount: MinorUnits,
  reason: z.string(),
  /** The failed vend that it pays back. */
  transactionId: z.uuid().nullable(),
  transactionAt: Instant.nullable(),
  /** Machines outside the reader's groups are not named. */
  posId: z.uuid().nullable(),
  posName: z.string().nullable(),
  batchId: z.uuid().nullable(),
  createdAt: Instant,
  createdBy: z.string().nullable(),
  collectedAt: Instant.nullable(),
})
export type Refund = z.infer<typeof Refund>

export const RefundFilters = z.strictObject({
  /** In the serial of the medium, two letters or more. */
  search: Search.overwrite((text) => text.replace(/\s+/g, '')).optional(),
  mediaIds: oneOrMany(ids.mediaId),
  kinds: oneOrMany(z.enum(refundKinds)),
  states: oneOrMany(z.enum(refundStates)),
  /** By the machine that holds the refund, or that sold the failed vend. */
  groupIds: oneOrMany(ids.groupId),
  clientIds: oneOrMany(ids.clientId),
  posIds: oneOrMany(ids.pastPosId),
  /** `ofDay`: groups and clients are where the machine was on the day of the refund; otherwise where it is today. */
  terms: SaleTerms.optional(),
  ...optionalPeriod,
})
export type RefundFilters = z.infer<typeof RefundFilters>

export const refundColumns = {
  createdAt: { kind: 'instant', heading: 'refund:field.createdAt' },
  merchant: { kind: 'text', heading: 'refund:field.merchant' },
  mediaSerial: { kind: 'place', of: 'media', heading: 'refund:field.mediaSerial' },
  amount: { kind: 'amount', heading: 'refund:field.amount' },
  kind: { kind: 'word', heading: 'refund:field.kind', of: 'refundKind' },
  state: { kind: 'status', heading: 'refund:field.state', of: 'refundState' },
  reason: { kind: 'text', heading: 'refund:field.reason' },
  machine: { kind: 'place', of: 'machine', heading: 'refund:field.machine' },
  transactionAt: { kind: 'instant', heading: 'refund:field.transactionAt' },
  collectedAt: { kind: 'instant', heading: 'refund:field.collectedAt' },
  createdBy: { kind: 'person', heading: 'refund:field.createdBy' },
  transactionId: { kind: 'plain', heading: 'refund:field.transactionId' },
  batchId: { kind: 'plain', heading: 'refund:field.batchId' },
  id: { kind: 'plain', heading: 'refund:field.id' },
} as const satisfies ListColumns

export const refundOrds = ordsOf(refundColumns, 'createdAt')

/** What is refunded to a medium; above zero, and below the merchant's maximum refund. */
export const RefundOrder = z.strictObject({
  amount: MinorUnits.positive(),
  currency: Currency,
  reason: Text.trim().min(1).max(500),
})
export type RefundOrder = z.infer<typeof RefundOrder>

/** Made by the caller: the same refund sent again gets the same answer and has one effect. */
const id = z.uuid()

/** Why a medium of a batch got nothing. */
export const batchRefusals = ['unknownMedia', 'blocked', 'balanceAboveLimit'] as const

export const RefundBatch = z.strictObject({
  id: z.uuid(),
  amount: MinorUnits,
  currency: Currency,
  reason: z.string(),
  createdAt: Instant,
  refunded: z.array(z.strictObject({ mediaSerial: z.string(), refundId: z.uuid() })),
  refused: z.array(z.strictObject({ mediaSerial: z.string(), reason: z.enum(batchRefusals) })),
})
export type RefundBatch = z.infer<typeof RefundBatch>

/** Facts of `NoMediasRefunded`. */
export const NothingRefunded = RefundBatch.pick({ refused: true })

const ofMedia = '/merchants/{merchantId}/medias/{mediaId}' as const
const writes = { method: 'POST', needs: 'refund.write', feature: 'customerMedia' } as const
const reads = { method: 'GET', needs: 'refund.read', feature: 'customerMedia' } as const
const fails = [
  'MediaBlocked',
  'BalanceAboveLimit',
  'RefundIdTaken',
  'RefundCurrencyDiffers',
  'ValidationFailed',
] as const

export const refunds = {
  listRefunds: endpoint({
    ...reads,
    path: '/merchants/{merchantId}/refunds',
    summary: 'List refunds',
    topics: ['refund'],
    query: RefundFilters.extend(paged(refundOrds)),
    ok: pageOf(Refund).extend(withTotals),
    fails: ['PeriodReversed'],
  }),
  listMediaRefunds: endpoint({
    ...reads,
    path: `${ofMedia}/refunds`,
    summary: 'List the refunds of a medium',
    finds: ['mediaId'],
    topics: ['refund'],
    query: z.strictObject(paged(refundOrds)),
    ok: pageOf(Refund).extend(withTotals),
    fails: ['MediaNotFound'],
  }),
  getRefund: endpoint({
    ...reads,
    path: '/merchants/{merchantId}/refunds/{refundId}',
    summary: 'Get a refund',
    topics: ['refund'],
    ok: Refund,
    fails: ['RefundNotFound'],
  }),
  getRefundLimits: endpoint({
    ...reads,
    path: '/merchants/{merchantId}/refund-limits',
    summary: 'Get the limits of refunds: an amount is below the maximum, a batch has at most `batchMaximum` media',
    topics: ['merchant'],
    ok: z.strictObject({ currency: Currency, maximumRefund: MinorUnits, batchMaximum: z.int() }),
    fails: ['MerchantNotSelected'],
  }),
  refundMedia: endpoint({
    ...writes,
    path: `${ofMedia}/refund`,
    summary: 'Refund cloud credit to a medium, also for a sale; refunds of a sale never exceed what was charged',
    finds: ['mediaId'],
    body: z.strictObject({ id, refund: RefundOrder, transactionId: ids.transactionId.optional() }),
    ok: Refund,
    fails: [
      'MediaNotFound',
      'TransactionNotFound',
      'TransactionNotRefundable',
      'TransactionReversed',
      'TransactionRefunded',
      'RefundAboveSale',
      ...fails,
    ],
  }),
  refundMediaAtMachine: endpoint({
    ...writes,
    path: `${ofMedia}/refund-machine`,
    summary: 'Refund a medium at a machine, where it collects the amount; otherwise it stays as cloud credit',
    finds: ['mediaId'],
    body: z.strictObject({
      id,
      refund: RefundOrder,
      device: ids.posId,
      transactionId: ids.transactionId.optional(),
    }),
    ok: Refund,
    fails: [
      'MediaNotFound',
      'MachineNotFound',
      'TransactionNotFound',
      'TransactionNotRefundable',
      'TransactionReversed',
      'TransactionRefunded',
      'RefundAboveSale',
      ...fails,
    ],
  }),
  refundBatch: endpoint({
    ...writes,
    path: '/merchants/{merchantId}/medias/batch-refund',
    summary: 'Refund the same amount to many media at once; the same batch sent again is answered with what was done',
    body: z.strictObject({
      id,
      mediaSerials: z.array(MediaSerialInput).min(1).max(1000),
      refund: RefundOrder,
      device: ids.posId.optional(),
    }),
    ok: RefundBatch,
    fails: ['MerchantNotSelected', 'MachineNotFound', 'NoMediasRefunded', ...fails],
    timeOut: 'large',
  }),
}

/** The list as a file. */
export const exportedRefunds = {
  row: refunds.listRefunds,
  filters: RefundFilters,
  ords: refundOrds,
  columns: refundColumns,
} as const satisfies ExportedList
