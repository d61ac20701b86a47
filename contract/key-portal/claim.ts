import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import {
  Instant,
  InstantInput,
  LineText,
  MinorUnits,
  oneOrMany,
  optionalPeriod,
  paged,
  pageOf,
  Search,
  Text,
} from '../frame/shapes.ts'
import { Transaction } from '../sales/transaction.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { mostAmount } from '../vocabulary/world/money-limits.ts'

/** A customer's report that a machine kept their money. Amounts are minor units. */

export const claimStates = ['open', 'refunded', 'refused', 'answered'] as const
export const ClaimState = z.enum(claimStates)
export type ClaimState = z.infer<typeof ClaimState>

/** How the customer paid. */
export const claimPayments = ['media', 'cash'] as const
export const ClaimPayment = z.enum(claimPayments)
export type ClaimPayment = z.infer<typeof ClaimPayment>

/** The description by the customer, and the answer. */
export const ClaimText = Text.trim().min(1).max(1000)

export const Claim = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  /** Sequential within the merchant. */
  number: z.int(),
  state: ClaimState,
  posId: z.uuid(),
  posName: z.string(),
  /** Null after the customer’s data was erased, and for users who may not see customers. */
  customerId: z.uuid().nullable(),
  customerName: z.string().nullable(),
  selection: z.string().nullable(),
  amount: MinorUnits,
  currency: Currency,
  paidBy: ClaimPayment,
  mediaId: z.uuid().nullable(),
  mediaSerial: z.string().nullable(),
  text: z.string(),
  /** How to reach a caller: a phone number or a mail address. Erased once the answer is sent; null for users who may not see customers. */
  contact: z.string().nullable(),
  /** The user who opened it for a caller; null: the customer sent it. */
  openedBy: z.string().nullable(),
  /** When it happened at the machine, as the customer says. */
  happenedAt: Instant,
  createdAt: Instant,
  answer: z.string().nullable(),
  answeredAt: Instant.nullable(),
  answeredBy: z.string().nullable(),
  refundId: z.uuid().nullable(),
  refundedAmount: MinorUnits.nullable(),
  transactionId: z.uuid().nullable(),
})
export type Claim = z.infer<typeof Claim>

/** A claim that staff opens for a caller. Amounts are minor units. */
export const NewClaim = z.strictObject({
  /** Made by the caller of the API: the same claim sent again is stored once. */
  id: z.uuid(),
  posId: ids.posId,
  happenedAt: InstantInput,
  /** The vend of the machine’s log that the caller means. */
  transactionId: ids.transactionId.nullable().default(null),
  selection: SelectionName.nullable().default(null),
  amount: z.int().min(1).max(mostAmount),
  currency: Currency,
  paidBy: ClaimPayment,
  /** The medium that paid. After a payment in cash, a medium for the refund. */
  mediaId: ids.mediaId.nullable().default(null),
  text: ClaimText,
  /** A phone number or a mail address, if the caller gives one. */
  contact: LineText.trim().min(1).max(120).nullable().default(null),
})
export type NewClaim = z.infer<typeof NewClaim>

/** Minutes before and after the moment that a caller names, and the most vends found in them. */
export const claimSaleMinutes = 30
export const mostClaimSales = 12

/** Minutes of the machine’s log before and after the claim’s moment. */
export const claimLogMinutes = 5

/** What the machine itself reported about that moment. */
export const claimLogKinds = ['transaction', 'alarm', 'event'] as const
export const ClaimLogEntry = z.strictObject({
  id: z.uuid(),
  kind: z.enum(claimLogKinds),
  at: Instant,
  /** The code of an alarm or event. */
  code: z.string().nullable(),
  /** Whether an event began; of an alarm, whether it is open. */
  isActive: z.boolean().nullable(),
  text: z.string().nullable(),
  /** Of a transaction. */
  type: z.int().nullable(),
  product: z.string().nullable(),
  amount: MinorUnits.nullable(),
  /** The vend failed. */
  isFailed: z.boolean().nullable(),
  mediaSerial: z.string().nullable(),
  /** Minor units that may still be refunded of a sale. */
  refundable: MinorUnits.nullable(),
  /** Something of it was refunded. */
  isRefunded: z.boolean().nullable(),
})
export type ClaimLogEntry = z.infer<typeof ClaimLogEntry>

/** A medium that may receive the refund. */
export const ClaimMedia = z.strictObject({ id: z.uuid(), serial: z.string(), isBlocked: z.boolean() })

export const ClaimDetails = Claim.extend({
  log: z.array(ClaimLogEntry),
  /** The customer’s media. */
  medias: z.array(ClaimMedia),
  /** Earlier claims of the same customer in 90 days. */
  earlier: z.int(),
  /** A refund is below it. */
  maximumRefund: MinorUnits,
})
export type ClaimDetails = z.infer<typeof ClaimDetails>

export const ClaimFilters = z.strictObject({
  /** In the text, the serial of the medium and the machine’s name; a whole number is a claim’s number. */
  search: Search.optional(),
  states: oneOrMany(ClaimState),
  posIds: oneOrMany(ids.pastPosId),
  paidBy: oneOrMany(ClaimPayment),
  ...optionalPeriod,
})
export type ClaimFilters = z.infer<typeof ClaimFilters>

export const claimColumns = {
  number: { kind: 'number', heading: 'claim:field.number' },
  state: { kind: 'status', heading: 'claim:field.state', of: 'claimState' },
  posName: { kind: 'text', heading: 'claim:field.machine' },
  merchant: { kind: 'text', heading: 'claim:field.merchant' },
  amount: { kind: 'amount', heading: 'claim:field.amount' },
  paidBy: { kind: 'word', heading: 'claim:field.paidBy', of: 'claimPayment' },
  selection: { kind: 'text', heading: 'claim:field.selection' },
  mediaSerial: { kind: 'text', heading: 'claim:field.media' },
  text: { kind: 'text', heading: 'claim:field.text' },
  happenedAt: { kind: 'instant', heading: 'claim:field.happenedAt' },
  createdAt: { kind: 'instant', heading: 'claim:field.createdAt' },
  answer: { kind: 'text', heading: 'claim:field.answer' },
  answeredAt: { kind: 'instant', heading: 'claim:field.answeredAt' },
  answeredBy: { sort: false, kind: 'text', heading: 'claim:field.answeredBy' },
} as const satisfies ListColumns

export const claimOrds = ordsOf(claimColumns, 'createdAt')

const one = '/merchants/{merchantId}/claims/{claimId}' as const
const reads = { method: 'GET', needs: 'refund.read', feature: 'customerMedia' } as const
const writes = { method: 'POST', needs: 'refund.write', feature: 'customerMedia' } as const

export const claims = {
  listClaims: endpoint({
    ...reads,
    path: '/merchants/{merchantId}/claims',
    summary: 'List claims of customers, newest first',
    topics: ['claim'],
    query: ClaimFilters.extend(paged(claimOrds)),
    ok: pageOf(Claim).extend(withTotals),
    fails: ['PeriodReversed', 'MachineNotFound'],
  }),
  getClaim: endpoint({
    ...reads,
    path: one,
    summary: 'Get a claim with the machine’s own log of that moment',
    topics: ['claim'],
    ok: ClaimDetails,
    fails: ['ClaimNotFound'],
  }),
  listClaimSales: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/claim-sales',
    summary: 'List the vends of a machine around a moment that a caller names: failed ones first, then the nearest',
    needs: 'refund.write',
    feature: 'customerMedia',
    topics: ['transaction'],
    query: z.strictObject({ at: InstantInput }),
    ok: z.array(Transaction),
    fails: ['MachineNotFound'],
  }),
  createClaim: endpoint({
    ...writes,
    path: '/merchants/{merchantId}/claims',
    summary: 'Create a claim for a caller; the same id again is the same claim',
    body: NewClaim,
    ok: Claim,
    status: 201,
    fails: [
      ...(['MerchantNotSelected', 'MachineNotFound', 'TransactionNotFound', 'MediaNotFound'] as const),
      ...(['CurrencyDiffers', 'ClaimIdTaken', 'ValidationFailed'] as const),
    ],
  }),
  refundClaim: endpoint({
    ...writes,
    path: `${one}/refund`,
    summary: 'Refund a claim to a medium of its customer; a claim is refunded once, also when two users do it at once',
    finds: ['claimId'],
    body: z
      .strictObject({
        /** Below the merchant’s maximum refund, and at most what may still be refunded of the sale. */
        amount: MinorUnits.positive(),
        currency: Currency,
        mediaId: ids.mediaId,
        /** The sale of the machine’s log. */
        transactionId: ids.transactionId.optional(),
        /** The user found no sale in the log. Required without a sale. */
        isWithoutSale: z.literal(true).optional(),
        /** A sentence for the customer. */
        answer: ClaimText.optional(),
      })
      .refine(({ transactionId, isWithoutSale }) => transactionId !== undefined || isWithoutSale === true, {
        path: ['transactionId'],
        ...saying('required'),
      }),
    ok: Claim,
    fails: [
      ...(['ClaimNotFound', 'ClaimClosed', 'MediaNotFound', 'MediaBlocked', 'TransactionNotFound'] as const),
      ...(['TransactionNotRefundable', 'TransactionReversed', 'TransactionRefunded', 'RefundAboveSale'] as const),
      ...(['SaleOfOtherClaim', 'BalanceAboveLimit', 'RefundCurrencyDiffers', 'ValidationFailed'] as const),
    ],
  }),
  answerClaim: endpoint({
    ...writes,
    path: `${one}/answer`,
    summary: 'Close a claim without a refund: refused, or answered',
    finds: ['claimId'],
    body: z.strictObject({ state: z.enum(['refused', 'answered']), answer: ClaimText }),
    ok: Claim,
    fails: ['ClaimNotFound', 'ClaimClosed'],
  }),
}

/** The list as a file. */
export const exportedClaims = {
  row: claims.listClaims,
  filters: ClaimFilters,
  ords: claimOrds,
  columns: claimColumns,
} as const satisfies ExportedList
