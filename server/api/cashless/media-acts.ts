import { randomUUIDv7 } from 'node:crypto'
import type { mediaActs } from '#contract/cashless/media-acts.ts'
import { ProductError } from '#contract/errors.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { bookKept, replaceMedia } from '#database/cashless/credit.ts'
import { decideKept, keptRecharge } from '#database/cashless/kept-recharge.ts'
import { changeMediaStatus } from '#database/cashless/media.ts'
import { closeFinding, holdMedias, type MediaState, moveOwner, writeOwner } from '#database/cashless/media-acts.ts'
import { insertMedia, type MediaRow, mediasBySerial } from '#database/cashless/media-list.ts'
import { endHeld, successorsOf } from '#database/cashless/reservation.ts'
import { findingsOfMedia } from '#database/cashless/statement.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { isReplacement } from '#domain/cashless/lost-key.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseField } from '../cash/refuse-field.ts'
import { customerRecord } from './customer.ts'
import { mediaOf, presentFinding, presentMedia } from './media.ts'

type OnMedia = TenantCall & { params: { mediaId: string } }
interface Logged {
  before?: object
  after?: object
}

/** Writes the change log, and announces the medium after the commit. */
async function log(call: TenantCall, merchantId: string, action: string, subjectId: string, change: Logged) {
  const { db, user, now, live } = call
  await recordChange(db, { merchantId, at: now, user, action, subjectType: 'media', subjectId, ...change })
  db.afterCommit(() => live.announce(merchantId, 'media'))
}

/** A medium as it stays until the end of the transaction. */
async function held(call: OnMedia): Promise<{ row: MediaRow; state: MediaState }> {
  const row = await mediaOf(call, call.params.mediaId)
  const state = (await holdMedias(call.db, row.merchant_id, [row.id])).get(row.id) as MediaState
  return { row, state }
}

const presentAfter = async (call: OnMedia) => presentMedia(await mediaOf(call, call.params.mediaId), call)

/** Blocks or unblocks a medium. A repeated call changes nothing. */
async function setStatus(call: OnMedia, action: 'media.block' | 'media.unblock', status: 0 | 1) {
  const { row, state } = await held(call)
  if (state.status === mediaStatuses.lostKey) throw new ProductError('MediaLost')
  if (state.status !== status) {
    await changeMediaStatus(call.db, row.merchant_id, [row.id], status, call.now)
    await log(call, row.merchant_id, action, row.id, { before: { status: state.status }, after: { status } })
  }
  return presentAfter(call)
}

type OnFinding = OnMedia & { params: { findingId: string } }

async function findingOf({ db, user, params }: OnFinding, media: MediaRow) {
  const { rows } = await findingsOfMedia(db, media, { page: 1, size: 1 }, seesInvisible(user), params.findingId)
  if (!rows[0]) throw new ProductError('FindingNotFound')
  return rows[0]
}

/** Books or refuses a kept recharge. Of two decisions at one moment the first counts, and the same one again changes nothing. */
async function decide(call: OnFinding, state: 'booked' | 'refused') {
  const { db, params, user, now } = call
  const media = await mediaOf(call, params.mediaId)
  const { merchant_id: merchantId, id: mediaId } = media
  const successor = (await successorsOf(db, merchantId, [mediaId])).get(mediaId)
  await holdMedias(db, merchantId, successor ? [mediaId, successor] : [mediaId])
  const recharge = await keptRecharge(db, merchantId, { id: params.findingId })
  if (recharge?.mediaId !== mediaId) throw new ProductError('FindingNotFound')
  if (recharge.state !== 'open' && recharge.state !== state) throw new ProductError('RechargeDecided')
  if (recharge.state === 'open') {
    if (state === 'booked') await bookKept(db, merchantId, recharge, user, now)
    else await decideKept(db, merchantId, recharge, 'refused', { user, at: now })
    await log(call, merchantId, state === 'booked' ? 'media.bookRecharge' : 'media.refuseRecharge', mediaId, {
      after: { finding: 'rechargeKept', amount: recharge.amount - recharge.reversed },
    })
    if (recharge.orderId) db.afterCommit(() => call.live.announce(merchantId, 'webPaymentOrder'))
  }
  return presentFinding(await findingOf(call, media), media.currency)
}

/** What staff does with media. */
export const mediaActHandlers: Handlers<typeof mediaActs> = {
  createMedia: async (call) => {
    const { db, params, body, now } = call
    if (params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const serial = mediaSerialOf(body.serial) ?? refuseField('serial', 'format')
    const media = {
      merchantId: params.merchantId,
      id: randomUUIDv7(),
      serial,
      type: body.type,
      origin: 'staff' as const,
    }
    if (!(await insertMedia(db, { ...media, at: now }))) throw new ProductError('MediaAlreadyExists')
    await log(call, media.merchantId, 'media.create', media.id, { after: { serial, type: body.type } })
    return presentMedia(await mediaOf(call, media.id), call)
  },

  validateMedias: async ({ db, params, body }) => {
    if (params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const serials = body.mediaSerials.map((typed) => ({ given: typed, mediaSerial: mediaSerialOf(typed) }))
    const requested = serials.flatMap(({ mediaSerial }) => mediaSerial ?? [])
    const medias = await mediasBySerial(db, params.merchantId, requested)
    return serials.map(({ given, mediaSerial }) => {
      const media = mediaSerial === null ? undefined : medias.get(mediaSerial)
      return {
        given,
        mediaSerial,
        mediaId: media?.id ?? null,
        type: media?.type ?? null,
        status: media?.status ?? null,
        isValid: media?.status === mediaStatuses.ok,
      }
    })
  },

  blockMedia: (call) => setStatus(call, 'media.block', 1),
  unblockMedia: (call) => setStatus(call, 'media.unblock', 0),

  unblockMediaTokens: async (call) => {
    const { db, now, user } = call
    const { merchant_id, id } = await mediaOf(call, call.params.mediaId)
    const ended = await endHeld(db, merchant_id, { mediaId: id, as: 'unblocked', at: now, byName: user.name })
    if (ended.length > 0)
      await log(call, merchant_id, 'media.unblockTokens', id, {
        after: { ended: ended.length, amount: ended.reduce((sum, { credit, bonus }) => sum + credit + bonus, 0) },
      })
    if (ended.some(({ refundId }) => refundId !== null)) db.afterCommit(() => call.live.announce(merchant_id, 'refund'))
    return { ended: ended.length, media: await presentAfter(call) }
  },

  lostMyKey: async (call) => {
    const { db, params, body, user, now } = call
    const { merchant_id, id } = await mediaOf(call, params.mediaId)
    const replacement = await mediaOf(call, body.MediaId)
    if (replacement.merchant_id !== merchant_id) throw new ProductError('MediaNotFound')
    const states = await holdMedias(db, merchant_id, [id, replacement.id])
    const lost = states.get(id) as MediaState
    const target = states.get(replacement.id) as MediaState
    // Repeated: only the answer of the first call got lost.
    if (lost.status === mediaStatuses.lostKey && lost.replaced_by === target.id) return presentAfter(call)
    if (lost.status === mediaStatuses.lostKey) throw new ProductError('MediaLost')
    if (!isReplacement(lost, target)) refuseField('MediaId', 'lostKey')
    await moveOwner(db, merchant_id, lost.id, target.id)
    const moved = await replaceMedia(db, merchant_id, { lostId: lost.id, newId: target.id, user }, now)
    await log(call, merchant_id, 'media.lostKey', lost.id, {
      before: { serial: lost.serial },
      after: { serial: target.serial, ...moved },
    })
    return presentAfter(call)
  },

  setMediaCustomer: async (call) => {
    const { db, body } = call
    const { row, state } = await held(call)
    if (state.status === mediaStatuses.lostKey) throw new ProductError('MediaLost')
    const { customerId } = body
    if (customerId !== null) {
      const customer = await customerRecord.use(db, customerId)
      if (customer.merchant_id !== row.merchant_id) throw new ProductError('CustomerNotFound')
    }
    if (state.customer_id !== customerId) {
      await writeOwner(db, row.merchant_id, row.id, customerId)
      await log(call, row.merchant_id, 'media.setCustomer', row.id, {
        before: { customerId: state.customer_id },
        after: { customerId },
      })
    }
    return presentAfter(call)
  },

  closeMediaFinding: async (call) => {
    const { db, params, user, now } = call
    const media = await mediaOf(call, params.mediaId)
    const finding = { merchantId: media.merchant_id, mediaId: media.id, id: params.findingId }
    const { state } = (await keptRecharge(db, media.merchant_id, { id: finding.id })) ?? {}
    if (state === 'open') throw new ProductError('RechargeUndecided')
    const isClosed = await closeFinding(db, finding, user, now)
    const row = await findingOf(call, media)
    if (isClosed)
      await log(call, media.merchant_id, 'media.closeFinding', media.id, {
        after: { finding: row.kind, amount: row.amount },
      })
    return presentFinding(row, media.currency)
  },

  bookKeptRecharge: (call) => decide(call, 'booked'),
  refuseKeptRecharge: (call) => decide(call, 'refused'),
}
