import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { type customerMedias, OwnMedia, OwnTransaction } from '#contract/key-portal/customer-media.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { mediaTypes } from '#contract/vocabulary/transaction.ts'
import { insertFindings } from '#database/cashless/finding.ts'
import { changeMediaStatus } from '#database/cashless/media.ts'
import { holdMedias, type MediaState, writeOwner } from '#database/cashless/media-acts.ts'
import { mediasBySerial } from '#database/cashless/media-list.ts'
import { wholeOf } from '#database/key-portal/customer-account.ts'
import { redeemLinkCode } from '#database/key-portal/link-code.ts'
import { codesOfMachines } from '#database/key-portal/machine-place.ts'
import {
  type OwnMediaRow,
  type OwnTransactionRow,
  ownMedias,
  ownTransactions,
  walletOf,
} from '#database/key-portal/own-media.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { refundableOf } from '#domain/cashless/refund.ts'
import { isFailedVend } from '#domain/sales/sale.ts'
import { inLog } from '#server/customers/admit.ts'
import { countLinkCode, forgiveLinkCode, hashOfLinkCode } from '#server/customers/link-codes.ts'
import type { CustomerCall, Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

/** A medium of the caller's. Another customer's is as missing as an unknown one. */
export async function ownMediaOf(
  { db, customer }: Pick<CustomerCall, 'db' | 'customer'>,
  mediaId: string,
): Promise<OwnMediaRow> {
  const [media] = await ownMedias(db, customer, mediaId)
  if (!media) throw new ProductError('MediaNotFound')
  return media
}

const present = (media: OwnMediaRow) => wireOf(OwnMedia, media)

/** The same as it stays until the end of the transaction. */
async function held(call: CustomerCall, mediaId: string): Promise<MediaState> {
  await ownMediaOf(call, mediaId)
  const state = (await holdMedias(call.db, call.customer.merchantId, [mediaId])).get(mediaId)
  // It may have been given to somebody else before it was held.
  if (state?.customer_id !== call.customer.customerId) throw new ProductError('MediaNotFound')
  return state
}

async function log(
  { db, customer, now, live }: CustomerCall,
  action: string,
  mediaId: string,
  change: { before: object; after: object },
) {
  const { merchantId } = customer
  await recordChange(db, {
    merchantId,
    at: now,
    user: inLog(customer),
    action,
    subjectType: 'media',
    subjectId: mediaId,
    ...change,
  })
  db.afterCommit(() => live.announce(merchantId, 'media'))
}

async function setOwner(call: CustomerCall, mediaId: string, before: string | null, after: string | null) {
  await writeOwner(call.db, call.customer.merchantId, mediaId, after)
  const was = { customerId: before }
  const is = { customerId: after }
  await log(call, 'media.setCustomer', mediaId, { before: was, after: is })
}

/** Links the medium whose code was typed, in the caller's transaction. Undefined: no medium has this code. */
async function link(call: CustomerCall, serial: string, code: string): Promise<string | undefined> {
  const { db, customer, now, config } = call
  const { merchantId, customerId } = customer
  const media = (await mediasBySerial(db, merchantId, [serial])).get(serial)
  if (!media) return undefined
  const state = (await holdMedias(db, merchantId, [media.id])).get(media.id)
  const hash = hashOfLinkCode(config.secretKey, { mediaId: media.id, code })
  if (!state || !(await redeemLinkCode(db, { merchantId, mediaId: media.id, hash, now }))) return undefined
  if (state.status === mediaStatuses.lostKey) throw new ProductError('MediaLost')
  if (state.status !== mediaStatuses.ok) throw new ProductError('MediaBlocked')
  if (state.customer_id !== null && state.customer_id !== customerId) throw new ProductError('MediaAlreadyLinked')
  if (state.customer_id === null) await setOwner(call, media.id, null, customerId)
  return media.id
}

/** What end customers do with their keys, cards and wallets. */
export const customerMediaHandlers: Handlers<typeof customerMedias> = {
  listOwnMedias: async ({ db, customer, now }) => ({
    items: (await ownMedias(db, customer)).map(present),
    asOf: toWire(now),
  }),

  createOwnWallet: async (call) => {
    const { db, customer, now, live } = call
    const mediaId = await walletOf(db, customer, now)
    db.afterCommit(() => live.announce(customer.merchantId, 'media'))
    return present(await ownMediaOf(call, mediaId))
  },

  linkOwnMedia: async (call) => {
    const { doors, body, customer, now, request } = call
    const { merchantId, customerId } = customer
    const serial = mediaSerialOf(body.serial)
    if (serial === null) throw new ProductError('LinkCodeWrong')
    const guess = { merchantId, customerId, address: request.ip, serial }
    const { isAllowed, isMediaFull } = await countLinkCode(doors, guess, now)
    if (isMediaFull) {
      request.log.warn({ merchantId, customerId, serial, address: request.ip }, 'Codes of a medium are being guessed')
      await tellGuessing(call, serial)
    }
    if (!isAllowed) throw new ProductError('TooManyRequests')
    const mediaId = await link(call, serial, body.code)
    if (mediaId === undefined) throw new ProductError('LinkCodeWrong')
    await forgiveLinkCode(doors, guess, now)
    return present(await ownMediaOf(call, mediaId))
  },

  unlinkOwnMedia: async (call) => {
    const { params, customer } = call
    const media = await ownMediaOf(call, params.mediaId)
    // Without an owner, the credit of a wallet would be lost.
    if (media.type === mediaTypes.app) throw new ProductError('WalletNotUnlinkable')
    await held(call, media.id)
    await setOwner(call, media.id, customer.customerId, null)
    return undefined
  },

  blockOwnMedia: async (call) => {
    const { db, params, customer, now } = call
    const state = await held(call, params.mediaId)
    if (state.status === mediaStatuses.lostKey) throw new ProductError('MediaLost')
    if (state.status === mediaStatuses.ok) {
      await changeMediaStatus(db, customer.merchantId, [state.id], 1, now)
      await log(call, 'media.block', state.id, { before: { status: 0 }, after: { status: 1 } })
    }
    return present(await ownMediaOf(call, params.mediaId))
  },

  listOwnTransactions: async (call) => {
    const { db, customer, query } = call
    if (query.mediaId) await ownMediaOf(call, query.mediaId)
    const { rows, total, capped } = await ownTransactions(db, customer, query)
    const refundable = (row: OwnTransactionRow) =>
      isFailedVend({ type: row.type, errorSale: row.is_failed }) ? refundableOf(row) : 0
    const serials = rows.flatMap((row) => (refundable(row) > 0 && row.machine_serial ? [row.machine_serial] : []))
    const codes = await codesOfMachines(call.doors, serials)
    const items = rows.map((row) =>
      wireOf(OwnTransaction, {
        ...row,
        amount: row.is_failed ? row.charged : row.amount,
        refundable: refundable(row),
        machine_code: refundable(row) > 0 ? (codes.get(row.machine_serial ?? '') ?? null) : null,
      }),
    )
    return { items, total, capped }
  },
}

/** A finding of the medium, once an hour; in a transaction of its own, since the call is refused. */
async function tellGuessing({ doors, customer, now }: CustomerCall, serial: string): Promise<void> {
  const { merchantId, customerId } = customer
  await doors.withTenant(wholeOf(merchantId), async (db) => {
    const media = (await mediasBySerial(db, merchantId, [serial])).get(serial)
    if (!media) return
    await insertFindings(db, merchantId, [
      {
        mediaId: media.id,
        kind: 'linkGuessed',
        key: `linkGuessed ${now.toISOString().slice(0, 13)}`,
        at: now,
        facts: { customerId },
      },
    ])
  })
}
