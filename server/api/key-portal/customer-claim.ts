import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { type customerClaims, OwnClaim } from '#contract/key-portal/customer-claim.ts'
import { claimsOfCustomer, createClaim } from '#database/key-portal/claim.ts'
import { placeOfCode, publicMachine } from '#database/key-portal/machine-place.ts'
import { countAttempt } from '#database/machines/association-attempt.ts'
import type { CustomerCall, Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { refuseField } from '../cash/refuse-field.ts'
import { ownMediaOf } from './customer-media.ts'
import { momentOfClaim, refuseClaimAmount } from './refuse-claim.ts'

const dayMillis = 86_400_000
/** Claims of a customer in a day. */
const mostPerDay = 20

const presentOwn = (row: Awaited<ReturnType<typeof claimsOfCustomer>>[number]): OwnClaim =>
  wireOf(OwnClaim, row, { refundedAmount: row.refunded })
const keyOf = ({ customer }: Pick<CustomerCall, 'customer'>) => ({
  merchant_id: customer.merchantId,
  id: customer.customerId,
})

const ownClaims = async (call: CustomerCall): Promise<OwnClaim[]> =>
  (await claimsOfCustomer(call.db, keyOf(call))).map(presentOwn)

/** All claims of the customer, as they see them. */
export const allOwnClaims = async (call: Pick<CustomerCall, 'db' | 'customer'>): Promise<OwnClaim[]> =>
  (await claimsOfCustomer(call.db, keyOf(call), null)).map(presentOwn)

/** Claims of end customers. */
export const customerClaimHandlers: Handlers<typeof customerClaims> = {
  listOwnClaims: ownClaims,

  createOwnClaim: async (call) => {
    const { db, doors, params, body, customer, now, live } = call
    const { merchantId, customerId } = customer
    const happenedAt = momentOfClaim(body.happenedAt, now)
    if (body.paidBy === 'media' && body.mediaId === null) refuseField('mediaId', 'required')
    if (body.mediaId !== null) await ownMediaOf(call, body.mediaId)
    const place = await placeOfCode(doors, params.code)
    if (!place) throw new ProductError('MachineNotFound')
    if (place.merchantId !== merchantId) throw new ProductError('MachineOfOtherMerchant')
    const machine = await publicMachine(db, merchantId, place.machineId)
    if (!machine) throw new ProductError('MachineNotFound')
    refuseClaimAmount(body, machine.currency)
    const since = new Date(Math.floor(now.getTime() / dayMillis) * dayMillis)
    const [sent = 0] = await countAttempt(doors, [`claims of customer ${merchantId} ${customerId}`], since)
    if (sent > mostPerDay) throw new ProductError('TooManyRequests')
    const { id, selection, amount, currency, paidBy, mediaId, text } = body
    const { claim } = await createClaim(
      db,
      {
        merchantId,
        id,
        customerId,
        machineId: machine.id,
        selection,
        amount,
        currency,
        paidBy,
        mediaId,
        text,
        happenedAt,
      },
      now,
    )
    db.afterCommit(() => live.announce(merchantId, 'claim'))
    const claimRow = (await ownClaims(call)).find((one) => one.id === claim.id)
    if (!claimRow) throw new Error(`The claim of ${toWire(claim.created_at)} was not found.`)
    return claimRow
  },
}
