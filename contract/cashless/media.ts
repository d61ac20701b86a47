import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { ListTotal } from '../frame/list-totals.ts'
import { Flag, Instant, MinorUnits, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import {
  accountKinds,
  keptStates,
  mediaFindingKinds,
  mediaOrigins,
  operationKinds,
  reservationPurposes,
  reservationStates,
} from '../vocabulary/cashless.ts'
import { MediaType } from '../vocabulary/transaction.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { rechargeLimits } from '../vocabulary/world/money-limits.ts'

/** 0 OK, 1 blocked, 2 lost key. */
export const MediaStatus = z.int().min(0).max(2)
export type MediaStatus = z.infer<typeof MediaStatus>

/** A key, card or app account. Amounts are minor units; null means "not known", never zero. */
export const Media = z.strictObject({
  id: z.uuid(),
  version: Version,
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  serial: z.string(),
  type: MediaType,
  status: MediaStatus,
  /** What a machine would authorise now: cloud credit and bonus without reserved amounts. */
  credit: MinorUnits,
  cloudCredit: MinorUnits,
  bonusCredit: MinorUnits,
  /** What machines hold of cloud credit and bonus ("tokens"). */
  reserved: MinorUnits,
  /** Written on the key, as a machine last read it. Never part of the cloud credit. */
  keyCredit: MinorUnits.nullable(),
  bonusFreeSales: z.int(),
  /** The key's own counter of uses, as a machine last read it. */
  lastCounter: z.int().nullable(),
  /** The last use at a machine. */
  lastUsedAt: Instant.nullable(),
  originType: z.enum(mediaOrigins),
  /** The machine that saw it first. */
  originSerial: z.string().nullable(),
  /** Another company's service that holds its credit. */
  externalService: z.string().nullable(),
  /** Null for users who may not see customers. */
  customerId: z.uuid().nullable(),
  customerName: z.string().nullable(),
  blockedAt: Instant.nullable(),
  /** Lost media and their replacements. */
  replacesId: z.uuid().nullable(),
  replacedById: z.uuid().nullable(),
  replacedBySerial: z.string().nullable(),
  openFindings: z.int(),
  registeredAt: Instant,
})
export type Media = z.infer<typeof Media>

export const MediaFilters = z.strictObject({
  /** In the serial, without regard to case and spaces. */
  search: Search.overwrite((text) => text.replace(/\s+/g, '')).optional(),
  types: oneOrMany(z.coerce.number().pipe(MediaType)),
  statuses: oneOrMany(z.coerce.number().pipe(MediaStatus)),
  customerIds: oneOrMany(ids.customerId),
  hasCustomer: Flag.optional(),
  /** With open findings, or without. */
  hasFindings: Flag.optional(),
  /** With amounts that machines hold, or without. */
  hasReservations: Flag.optional(),
})
export type MediaFilters = z.infer<typeof MediaFilters>

/** Files omit the customer: their readers may not be allowed to see customers. */
export const mediaColumns = {
  serial: { kind: 'text', heading: 'media:field.serial' },
  merchant: { kind: 'text', heading: 'media:field.merchant' },
  type: { kind: 'word', heading: 'media:field.type', of: 'mediaType' },
  status: { kind: 'status', heading: 'media:field.status', of: 'mediaStatus' },
  customer: { kind: 'place', of: 'customer', heading: 'media:field.customer', only: 'screen' },
  credit: { kind: 'amount', heading: 'media:field.credit' },
  cloudCredit: { kind: 'amount', heading: 'media:field.cloudCredit' },
  bonusCredit: { kind: 'amount', heading: 'media:field.bonusCredit' },
  reserved: { kind: 'amount', heading: 'media:field.reserved' },
  keyCredit: { kind: 'amount', heading: 'media:field.keyCredit' },
  bonusFreeSales: { kind: 'number', heading: 'media:field.bonusFreeSales' },
  lastCounter: { kind: 'number', heading: 'media:field.lastCounter' },
  lastUsedAt: { kind: 'instant', heading: 'media:field.lastUsedAt' },
  origin: {
    facts: {
      originType: { kind: 'word', heading: 'media:field.originType', of: 'mediaOrigin' },
      originSerial: { kind: 'text', heading: 'media:field.originSerial' },
    },
  },
  externalService: { kind: 'text', heading: 'media:field.externalService' },
  openFindings: { kind: 'number', heading: 'media:field.openFindings' },
  registeredAt: { kind: 'instant', heading: 'media:field.registeredAt' },
  id: { kind: 'plain', heading: 'media:field.id' },
} as const satisfies ListColumns

export const mediaOrds = ordsOf(mediaColumns, 'lastUsedAt')

/** The credit of a medium in its parts. */
export const Wallets = z.strictObject({
  mediaId: z.uuid(),
  serial: z.string(),
  currency: Currency,
  wallets: z.array(
    z.strictObject({
      kind: z.enum(['cloud', 'bonus', 'key']),
      balance: MinorUnits.nullable(),
      reserved: MinorUnits,
      free: MinorUnits.nullable(),
    }),
  ),
})
export type Wallets = z.infer<typeof Wallets>

/** An operation of the ledger on a medium: what it changed, and which accounts took or gave the amount. */
export const MediaOperation = z.strictObject({
  id: z.uuid(),
  kind: z.enum(operationKinds),
  at: Instant,
  bookedAt: Instant,
  currency: Currency,
  /** Changes of the two accounts, negative if it was spent. */
  credit: MinorUnits,
  bonus: MinorUnits,
  /** Credit and bonus afterwards. */
  balance: MinorUnits,
  /** The other side of the double entry. `serial`: of another medium. */
  others: z.array(z.strictObject({ account: z.enum(accountKinds), amount: MinorUnits, serial: z.string().nullable() })),
  /** Machines outside the reader's groups are not named. */
  posId: z.uuid().nullable(),
  posName: z.string().nullable(),
  transactionId: z.uuid().nullable(),
  refundId: z.uuid().nullable(),
  reservationId: z.uuid().nullable(),
  orderId: z.uuid().nullable(),
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type MediaOperation = z.infer<typeof MediaOperation>

/** Credit that a machine holds or held: a "token". */
export const MediaReservation = z.strictObject({
  id: z.uuid(),
  purpose: z.enum(reservationPurposes),
  state: z.enum(reservationStates),
  currency: Currency,
  credit: MinorUnits,
  bonus: MinorUnits,
  settled: MinorUnits.nullable(),
  posId: z.uuid().nullable(),
  posName: z.string().nullable(),
  refundId: z.uuid().nullable(),
  createdAt: Instant,
  expiresAt: Instant,
  endedAt: Instant.nullable(),
})
export type MediaReservation = z.infer<typeof MediaReservation>

/** A recharge above a limit, which a person books or refuses. Amounts are minor units. */
export const KeptRecharge = z.strictObject({
  state: z.enum(keptStates),
  brokenLimit: z.enum(rechargeLimits),
  /** What the limit allowed. */
  allowed: MinorUnits,
  /** What its payment provider took back while it was kept. */
  reversed: MinorUnits,
  /** The web payment that paid it; null: it was paid at a machine. */
  orderId: z.uuid().nullable(),
})
export type KeptRecharge = z.infer<typeof KeptRecharge>

/** What cannot be right about a medium. */
export const MediaFinding = z.strictObject({
  id: z.uuid(),
  kind: z.enum(mediaFindingKinds),
  at: Instant,
  currency: Currency,
  amount: MinorUnits.nullable(),
  posId: z.uuid().nullable(),
  posName: z.string().nullable(),
  closedAt: Instant.nullable(),
  closedBy: z.string().nullable(),
  /** Of a finding that keeps a recharge. */
  kept: KeptRecharge.nullable(),
})
export type MediaFinding = z.infer<typeof MediaFinding>

/** The columns of what a medium has; its lists have no files. `at` is their only order. */
export const mediaOperationColumns = {
  at: { kind: 'instant', as: 'exact', heading: 'media:column.at' },
  kind: { kind: 'text', heading: 'media:column.operation' },
  others: { kind: 'text', heading: 'media:column.counterpart' },
  machine: { kind: 'place', of: 'machine', heading: 'media:column.machine' },
  credit: { kind: 'amount', heading: 'media:field.cloudCredit' },
  bonus: { kind: 'amount', heading: 'media:field.bonusCredit' },
  balance: { kind: 'amount', heading: 'media:column.balance' },
} as const satisfies ListColumns
export const mediaReservationColumns = {
  at: { kind: 'instant', as: 'exact', heading: 'media:column.reserved', field: 'createdAt' },
  purpose: { kind: 'text', heading: 'media:column.purpose' },
  state: { kind: 'status', heading: 'media:field.status', of: 'reservationState' },
  machine: { kind: 'place', of: 'machine', heading: 'media:column.machine' },
  amount: { kind: 'amount', heading: 'media:column.amount' },
  settled: { kind: 'amount', heading: 'media:column.settled' },
  expiresAt: { kind: 'instant', as: 'exact', heading: 'media:column.expires' },
  endedAt: { kind: 'instant', as: 'exact', heading: 'media:column.ended' },
} as const satisfies ListColumns
export const mediaFindingColumns = {
  at: { kind: 'instant', as: 'exact', heading: 'media:column.at' },
  kind: { kind: 'text', heading: 'media:column.finding' },
  machine: { kind: 'place', of: 'machine', heading: 'media:column.machine' },
  amount: { kind: 'amount', heading: 'media:column.amount' },
  closed: { kind: 'own', heading: 'media:column.closed' },
} as const satisfies ListColumns

/** The order of what a medium has. */
export const ordsOfMedia = ['at'] as const
const newest = paged(ordsOfMedia)
const path = '/merchants/{merchantId}/medias/{mediaId}' as const
const base = { method: 'GET', needs: 'media.read', feature: 'customerMedia' } as const
const ofOne = { ...base, finds: ['mediaId'], fails: ['MediaNotFound'] } as const

export const medias = {
  listMedias: endpoint({
    ...base,
    path: '/merchants/{merchantId}/medias',
    summary: 'List media: keys, cards and app accounts',
    topics: ['media'],
    query: MediaFilters.extend(paged(mediaOrds)),
    ok: pageOf(Media),
  }),
  totalMedias: endpoint({
    ...base,
    path: '/merchants/{merchantId}/medias/totals',
    summary: 'Get the sums of all matching media by currency: credit, what machines hold, open findings',
    topics: ['media'],
    query: MediaFilters,
    ok: z.array(ListTotal),
  }),
  mediaTypesOfMedias: endpoint({
    ...base,
    path: '/merchants/{merchantId}/medias/types',
    summary: 'List media types used, with the number of media',
    topics: ['media'],
    ok: z.array(z.strictObject({ code: MediaType, count: z.int() })),
  }),
  getMedia: endpoint({ ...ofOne, path, summary: 'Get a medium', topics: ['media'], ok: Media }),
  getWallets: endpoint({
    ...ofOne,
    path: `${path}/wallets`,
    summary: 'Get the credit of a medium: cloud, bonus and key',
    topics: ['media'],
    ok: Wallets,
  }),
  listMediaOperations: endpoint({
    ...ofOne,
    path: `${path}/operations`,
    summary: 'List the ledger operations of a medium, with their causes',
    topics: ['media'],
    query: z.strictObject(newest),
    ok: pageOf(MediaOperation),
  }),
  listMediaReservations: endpoint({
    ...ofOne,
    path: `${path}/reservations`,
    summary: 'List what machines hold or held of a medium',
    topics: ['media'],
    query: z.strictObject(newest),
    ok: pageOf(MediaReservation),
  }),
  listMediaFindings: endpoint({
    ...ofOne,
    path: `${path}/findings`,
    summary: 'List the findings on a medium, open ones first',
    topics: ['media'],
    query: z.strictObject(newest),
    ok: pageOf(MediaFinding),
  }),
}

/** The list as a file. */
export const exportedMedias = {
  row: medias.listMedias,
  filters: MediaFilters,
  ords: mediaOrds,
  columns: mediaColumns,
} as const satisfies ExportedList
