import { sql } from 'kysely'
import { freeOf, sumOf } from '#domain/cashless/ledger.ts'
import { authorise } from '#domain/cashless/reservation.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { accountsOf, mediaAccountsOf, openLedger, writeLedger } from './ledger.ts'
import {
  type Authorisation,
  type AuthorisationAnswer,
  heldOf,
  holdParts,
  type ReservationRow,
  refuseHeld,
  reservationsOf,
  statusOf,
} from './reservation.ts'

/**
 * Credit that a machine may write onto the key: the refund that is held for this machine, oldest first, otherwise free credit of the cloud, at
 * most the requested amount. A repeated request gets the same reservation.
 */
export async function reserveToCollect(db: TenantDb, request: Authorisation, now: Date): Promise<AuthorisationAnswer> {
  const { merchantId, id, mediaId, posId, amount, expiresAt } = request
  const ledger = await openLedger(db, merchantId, accountsOf(mediaId))
  const accounts = mediaAccountsOf(ledger, mediaId)
  const free = () => sumOf(freeOf(accounts))
  const [earlier] = await reservationsOf(db, merchantId, [id, ...(await answeredWith(db, merchantId, id))])
  if (earlier) {
    const isSame = earlier.posId === posId && earlier.mediaId === mediaId && earlier.purpose === 'collect'
    const refusal = isSame ? await refuseHeld(db, ledger, earlier, now) : 'idTaken'
    return { ...(refusal ? { refusal } : { reservation: earlier }), free: free() }
  }
  const status = await statusOf(db, merchantId, mediaId)
  const waiting = (await heldOf(db, merchantId, mediaId)).find(
    (held) => held.purpose === 'collect' && held.posId === posId && held.refundId !== null && held.expiresAt > now,
  )
  const amountDue = waiting ? 0 : Math.min(amount, free())
  const answer = authorise({ status, free: freeOf(accounts) }, amountDue)
  if ('refusal' in answer) return { ...answer, free: free() }
  if (waiting) {
    await sql`update credit_reservations set request_id = ${id} where merchant_id = ${merchantId} and id = ${waiting.id}`.execute(
      db.query,
    )
    return { reservation: waiting, free: free() }
  }
  if (amountDue === 0) return { refusal: 'nothingToCollect', free: 0 }
  const reservation: ReservationRow = {
    id,
    mediaId,
    posId,
    purpose: 'collect',
    ...answer.parts,
    state: 'held',
    settled: null,
    refundId: null,
    expiresAt,
  }
  await holdParts(db, ledger, reservation, now)
  await writeLedger(db, ledger)
  return { reservation, free: free() }
}

/** The reservation with which a request was answered that does not have its id. */
async function answeredWith(db: TenantDb, merchantId: string, requestId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select reservation.id from credit_reservations reservation
    where ${db.own('reservation')} and reservation.merchant_id = ${merchantId} and reservation.request_id = ${requestId}`.execute(
    db.query,
  )
  return rows.map(({ id }) => id)
}
