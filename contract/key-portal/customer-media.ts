import { z } from 'zod'
import { MediaSerialInput } from '../cashless/media-acts.ts'
import { saying } from '../frame/broken.ts'
import { customerEndpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Instant, MinorUnits, pageOf, Text } from '../frame/shapes.ts'
import { MediaType, TransactionType } from '../vocabulary/transaction.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** A key, card or app wallet of the customer. Amounts are minor units. */
export const OwnMedia = z.strictObject({
  id: z.uuid(),
  serial: z.string(),
  /** 2 key, 3 card, 4 app wallet. */
  type: MediaType,
  /** 0 OK, 1 blocked, 2 lost. */
  status: z.int(),
  currency: Currency,
  /** What can be spent now of cloud credit and bonus. */
  credit: MinorUnits,
  cloudCredit: MinorUnits,
  bonusCredit: MinorUnits,
  /** What machines hold at this moment. */
  reserved: MinorUnits,
  bonusFreeSales: z.int(),
  /** Written on the key, as a machine read it at `keyCreditAt`; null: not known. Never part of the cloud credit. */
  keyCredit: MinorUnits.nullable(),
  keyCreditAt: Instant.nullable(),
  lastUsedAt: Instant.nullable(),
})
export type OwnMedia = z.infer<typeof OwnMedia>

/** The code that a machine shows while the key is inserted: 8 digits, blanks are accepted. */
export const LinkCodeInput = Text.overwrite((text) => text.replace(/[\s-]/g, '')).regex(/^\d{8}$/, saying('format'))

/** A use of one of the customer's media. */
export const OwnTransaction = z.strictObject({
  id: z.uuid(),
  at: Instant,
  type: TransactionType,
  mediaSerial: z.string(),
  product: z.string().nullable(),
  machineName: z.string(),
  /** Minor units: what was paid, or paid in; of a failed vend what was charged. */
  amount: MinorUnits,
  currency: Currency,
  /** The vend failed. */
  isFailed: z.boolean(),
  /** What may still be refunded of a failed vend; 0: nothing. */
  refundable: MinorUnits,
  /** The machine's public code, for a claim; null where nothing may be refunded. */
  machineCode: z.string().nullable(),
})
export type OwnTransaction = z.infer<typeof OwnTransaction>

const one = '/customer/medias/{mediaId}' as const

export const customerMedias = {
  listOwnMedias: customerEndpoint({
    method: 'GET',
    path: '/customer/medias',
    summary: 'List one’s own keys, cards and wallets with their credit',
    ok: z.strictObject({ items: z.array(OwnMedia), asOf: Instant }),
  }),
  createOwnWallet: customerEndpoint({
    method: 'POST',
    path: '/customer/medias/wallet',
    summary: 'Create one’s own wallet, which needs no key; there is one, and a repeated call answers it',
    ok: OwnMedia,
    status: 201,
  }),
  linkOwnMedia: customerEndpoint({
    method: 'POST',
    path: '/customer/medias/link',
    summary: 'Assign a key or card to oneself, by its serial and the code that a machine shows for it',
    body: z.strictObject({ serial: MediaSerialInput, code: LinkCodeInput }),
    ok: OwnMedia,
    fails: ['LinkCodeWrong', 'MediaAlreadyLinked', 'MediaBlocked', 'MediaLost', 'TooManyRequests'],
  }),
  unlinkOwnMedia: customerEndpoint({
    method: 'POST',
    path: `${one}/unlink`,
    summary: 'Remove a key or card from one’s own media; its credit stays on it. A wallet cannot be removed',
    finds: ['mediaId'],
    fails: ['MediaNotFound', 'WalletNotUnlinkable'],
  }),
  blockOwnMedia: customerEndpoint({
    method: 'POST',
    path: `${one}/block`,
    summary: 'Block a lost key at once; only the merchant unblocks it',
    finds: ['mediaId'],
    ok: OwnMedia,
    fails: ['MediaNotFound', 'MediaLost'],
  }),
  listOwnTransactions: customerEndpoint({
    method: 'GET',
    path: '/customer/transactions',
    summary: 'List what one’s own media did at machines, newest first',
    query: z.strictObject({
      mediaId: ids.mediaId.optional(),
      page: z.coerce.number().int().min(1).max(10_000).default(1),
      size: z.coerce.number().int().min(1).max(100).default(20),
    }),
    ok: pageOf(OwnTransaction),
    fails: ['MediaNotFound'],
  }),
}
