import { createHash } from 'node:crypto'
import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import {
  Claim,
  type ClaimDetails,
  ClaimLogEntry,
  type ClaimState,
  claimLogMinutes,
  claimSaleMinutes,
  type claims,
  mostClaimSales,
} from '#contract/key-portal/claim.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { Language } from '#contract/vocabulary/world/languages.ts'
import { mediaList } from '#database/cashless/media-list.ts'
import { refundById, refundLimits } from '#database/cashless/refund.ts'
import { constraintOf } from '#database/frame/constraint.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import {
  type ClaimRow,
  claimOfSale,
  closeClaim,
  createClaim,
  holdClaim,
  listClaims,
  type StoredClaim,
} from '#database/key-portal/claim.ts'
import { type ClaimLogRow, claimLogOf, claimMedias, earlierClaims } from '#database/key-portal/claim-log.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { findTransaction, vendsAround } from '#database/sales/transaction.ts'
import { refundableOf } from '#domain/cashless/refund.ts'
import { refundOfClaim, uuidOf } from '#domain/key-portal/claim.ts'
import { refundMedia } from '#server/cashless/refund-media.ts'
import { limitsOf } from '#server/cashless/store-refunds.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { machineOf, refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { wordsIn } from '#server/words/words.ts'
import { presentTransaction } from '../sales/present-transaction.ts'
import { momentOfClaim, refuseClaimAmount } from './refuse-claim.ts'

/** Days in which other claims of the same customer are counted. */
const earlierDays = 90

/** A claim as the reader may see it. Who opened it also sees the contact that they wrote down. */
const present = ({ user }: Pick<TenantCall, 'user'>, row: ClaimRow): Claim => {
  const seesCustomer = roleMay(user.role, 'customer.read')
  return wireOf(Claim, row, {
    ...(!seesCustomer && { customerId: null, customerName: null }),
    contact: seesCustomer || row.opened_by === user.id ? row.contact : null,
    answeredBy: row.answered_by_shown,
    openedBy: row.opened_by_shown,
  })
}

const moneyOf = ({ type, charged, reversed, refunded }: ClaimLogRow) => ({
  type: type ?? 0,
  charged: charged ?? 0,
  reversed: reversed ?? 0,
  refunded: refunded ?? 0,
})

const presentEntry = (row: ClaimLogRow): ClaimLogEntry =>
  wireOf(ClaimLogEntry, row, {
    refundable: row.kind === 'transaction' ? refundableOf(moneyOf(row)) : null,
    isRefunded: row.kind === 'transaction' ? moneyOf(row).refunded > 0 : null,
  })

async function rowOf({ user }: Pick<TenantCall, 'user'>, db: TenantDb, id: string): Promise<ClaimRow> {
  const { rows } = await listClaims(db, { page: 1, size: 1 }, seesInvisible(user), id)
  if (!rows[0]) throw new ProductError('ClaimNotFound')
  return rows[0]
}

const claimOf = async (call: TenantCall, db: TenantDb, id: string): Promise<Claim> =>
  present(call, await rowOf(call, db, id))

/** A claim in the user's whole scope, locked: two users close it one after the other. */
async function held(call: TenantCall, id: string): Promise<{ db: TenantDb; claim: StoredClaim }> {
  const db = withinScope(call.db, call.user.scope)
  const claim = await holdClaim(db, id)
  if (!claim) throw new ProductError('ClaimNotFound')
  return { db, claim }
}

/** Writes the change log, without the customer's words, and announces the change. */
async function tellChange(
  { user, now, live }: TenantCall,
  db: TenantDb,
  claim: StoredClaim,
  action: 'claim.create' | 'claim.refund' | 'claim.answer',
  after: { state: ClaimState } & Record<string, unknown>,
): Promise<void> {
  const posId = claim.machine_id
  await recordChange(db, {
    merchantId: claim.merchant_id,
    at: now,
    user,
    action,
    subjectType: 'claim',
    subjectId: claim.id,
    ...(action !== 'claim.create' && { before: { posId, number: claim.number, state: claim.state } }),
    after: { posId, number: claim.number, ...after },
  })
  db.afterCommit(() => live.announce(claim.merchant_id, 'claim', posId))
}

/** The reason of a claim's refund, in the language of the user. */
const reasonOf = ({ user, config }: TenantCall, { number }: StoredClaim) =>
  wordsIn(Language.safeParse(user.language).data ?? config.DEFAULT_LANGUAGE ?? 'en', 'claim')('refundReason', {
    number,
  })

/** Refuses a second claim of one sale. Two at one moment meet at the index of the claims' sales. */
async function refuseSaleOfOther(db: TenantDb, claim: StoredClaim, transactionId: string | undefined): Promise<void> {
  if (!transactionId) return
  const number = await claimOfSale(db, claim.merchant_id, transactionId)
  if (number !== undefined) throw new ProductError('SaleOfOtherClaim', { number })
}

/** Claims of customers whose money a machine kept. */
export const claimHandlers: Handlers<typeof claims> = {
  listClaims: async (call) => {
    const { db, query, user } = call
    refuseReversed(query)
    const { rows, ...page } = await listClaims(db, query, seesInvisible(user))
    return { items: rows.map((row) => present(call, row)), ...page }
  },

  getClaim: async (call): Promise<ClaimDetails> => {
    const { db, params } = call
    const row = await rowOf(call, db, params.claimId)
    const log = await claimLogOf(db, row, claimLogMinutes)
    return {
      ...present(call, row),
      log: log.map(presentEntry),
      medias: await claimMedias(db, row),
      earlier: await earlierClaims(db, row, earlierDays),
      maximumRefund: (await refundLimits(db, row.merchant_id))?.maximum ?? 0,
    }
  },

  listClaimSales: async ({ db, params, query, user, now }) => {
    const at = momentOfClaim(query.at, now)
    const sales = await vendsAround(db, { posId: params.posId, at, minutes: claimSaleMinutes, most: mostClaimSales })
    return sales.map((sale) => presentTransaction(sale, user))
  },

  createClaim: async (call) => {
    const { db, params, body, user, now } = call
    if (params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const happenedAt = momentOfClaim(body.happenedAt, now)
    const machine = await machineOf(db, body.posId)
    if (machine.merchant_id !== params.merchantId) throw new ProductError('MachineNotFound')
    refuseClaimAmount(body, (await limitsOf(db, machine.merchant_id)).currency)
    const media = body.mediaId === null ? undefined : await mediaList.find(db, body.mediaId)
    if (body.mediaId !== null && media?.merchant_id !== machine.merchant_id) throw new ProductError('MediaNotFound')
    const sale = body.transactionId === null ? undefined : await findTransaction(db, body.transactionId, happenedAt)
    if (body.transactionId !== null && sale?.machine_id !== machine.id) throw new ProductError('TransactionNotFound')
    const { posId: machineId, ...said } = body
    const { claim, isNew } = await createClaim(
      db,
      {
        ...said,
        merchantId: machine.merchant_id,
        machineId,
        customerId: media?.customer_id ?? null,
        openedBy: user,
        // The machine knows the moment of its vend better than the caller.
        happenedAt: sale?.created_at ?? happenedAt,
      },
      now,
    )
    if (isNew) await tellChange(call, db, claim, 'claim.create', { state: claim.state })
    return claimOf(call, db, claim.id)
  },

  refundClaim: async (call) => {
    const { params, body, user, now } = call
    const { db, claim } = await held(call, params.claimId)
    const id = uuidOf(createHash('sha256').update(refundOfClaim(claim.id)).digest('hex'))
    if (claim.state === 'refunded') {
      // The same refund again, also by another user: it has one effect.
      const refund = await refundById(db, claim.merchant_id, id)
      if (refund?.amount === body.amount && refund.media_id === body.mediaId) return claimOf(call, db, claim.id)
    }
    if (claim.state !== 'open') throw new ProductError('ClaimClosed', { state: claim.state })
    const media = (await claimMedias(db, claim)).find((one) => one.id === body.mediaId)
    if (!media) throw new ProductError('MediaNotFound')
    await refuseSaleOfOther(db, claim, body.transactionId)
    const refundId = await refundMedia(
      { ...call, db },
      {
        id,
        mediaId: media.id,
        refund: { amount: body.amount, currency: body.currency, reason: reasonOf(call, claim) },
        transactionId: body.transactionId,
        claim: { machineId: claim.machine_id, happenedAt: claim.happened_at },
      },
    )
    await closeClaim(db, claim, {
      state: 'refunded',
      answer: body.answer ?? null,
      at: now,
      user,
      refundId,
      ...(body.transactionId && { transactionId: body.transactionId }),
    }).catch((error: unknown) => {
      if (constraintOf(error) === 'claims_refunded_sale') throw new ProductError('TransactionRefunded')
      throw error
    })
    await tellChange(call, db, claim, 'claim.refund', {
      state: 'refunded',
      amount: body.amount,
      mediaId: body.mediaId,
      refundId,
      ...(body.transactionId ? { transactionId: body.transactionId } : { isWithoutSale: true }),
    })
    return claimOf(call, db, claim.id)
  },

  answerClaim: async (call) => {
    const { params, body, user, now } = call
    const { db, claim } = await held(call, params.claimId)
    if (claim.state === body.state && claim.answer === body.answer) return claimOf(call, db, claim.id)
    if (claim.state !== 'open') throw new ProductError('ClaimClosed', { state: claim.state })
    await closeClaim(db, claim, { state: body.state, answer: body.answer, at: now, user })
    await tellChange(call, db, claim, 'claim.answer', { state: body.state })
    return claimOf(call, db, claim.id)
  },
}
