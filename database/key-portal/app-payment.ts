import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { AppPaymentReason, OwnPayment } from '#contract/key-portal/customer-payment.ts'
import type { ReservationState } from '#contract/vocabulary/cashless.ts'
import { appPaymentCommand } from '#contract/vocabulary/remote-command.ts'
import type { PaymentAtClaim } from '#domain/cashless/app-payment.ts'
import { holdMedias } from '../cashless/media-acts.ts'
import { endHeld } from '../cashless/reservation.ts'
import type { FactsOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { OwnKey } from './own-media.ts'

/*
 * Payments that customers start in the app. The reservation holds the money and has the payment's id; a command sends it to the machine. Locks are taken in
 * this order: the command, then the accounts of the medium.
 */

export interface AppPaymentRow extends Omit<FactsOf<typeof OwnPayment>, 'state' | 'product' | 'expiresAt'> {
  customerId: string | null
  mediaSerial: string
  posId: string
  commandId: string
  /** Of the reservation. */
  state: ReservationState
  /** Until when it holds the amount. */
  heldUntil: Date
  /** Until when the machine may take it, and when it did. */
  takeUntil: Date | null
  takenAt: Date | null
}

/** A payment by its id. */
export async function appPayment(db: TenantDb, merchantId: string, id: string): Promise<AppPaymentRow | undefined> {
  const { rows } =
    await sql<AppPaymentRow>`select payment.id, payment.customer_id as "customerId", payment.media_id as "mediaId",
      media.serial as "mediaSerial", payment.pos_id as "posId", coalesce(machine.name, '') as "machineName",
      payment.command_id as "commandId", payment.amount, m.currency, payment.created_at as "createdAt", payment.reason,
      reservation.state, reservation.settled, reservation.expires_at as "heldUntil", command.expires_at as "takeUntil",
      command.started_at as "takenAt"
    from app_payments payment
    join merchants m on m.id = payment.merchant_id
    join medias media on ${db.own('media')} and media.merchant_id = payment.merchant_id and media.id = payment.media_id
    join credit_reservations reservation on ${db.own('reservation')} and reservation.merchant_id = payment.merchant_id
      and reservation.id = payment.id
    left join machines machine on ${db.own('machine')} and machine.merchant_id = payment.merchant_id and machine.id = payment.pos_id
    left join remote_commands command on ${db.own('command')} and command.merchant_id = payment.merchant_id
      and command.id = payment.command_id
    where ${db.own('payment')} and payment.merchant_id = ${merchantId} and payment.id = ${id}`.execute(db.query)
  return rows[0]
}

/** The product of a payment's sale, and whether the vend failed. The machine's clock may be a day off. */
export async function saleOfPayment(
  db: TenantDb,
  merchantId: string,
  { id, mediaSerial, createdAt }: AppPaymentRow,
): Promise<{ product: string | null; isFailed: boolean } | undefined> {
  const { rows } = await sql<{ product: string | null; isFailed: boolean }>`
    select t.product, t.error_sale as "isFailed" from transactions t
    where ${db.own('t')} and t.merchant_id = ${merchantId} and t.media_serial = ${mediaSerial}
      and t.media_serial is not null and t.media_serial <> 'FFFFFFFF'
      and t.created_at > ${createdAt}::timestamptz - interval '1 day' and t.reservation_id = ${id} limit 1`.execute(
    db.query,
  )
  return rows[0]
}

export interface AppPaymentOrder extends OwnKey {
  id: string
  mediaId: string
  posId: string
  amount: number
  /** What the machine gets. */
  parameters: Record<string, unknown>
  now: Date
  takeUntil: Date
}

/**
 * The command by which a machine learns of a payment. Undefined: the machine has one already, since a machine serves one customer at a time. Of two
 * payments at one moment, the second waits here for the first.
 */
export async function sendAppPayment(db: TenantDb, order: AppPaymentOrder): Promise<string | undefined> {
  const { merchantId, posId, parameters, now, takeUntil } = order
  const id = randomUUIDv7()
  const { rows } = await sql`insert into remote_commands
      (merchant_id, id, machine_id, type, parameters, status, created_at, not_before, expires_at, next_attempt_at)
    values (${merchantId}, ${id}, ${posId}, ${appPaymentCommand}, ${JSON.stringify(parameters)}::jsonb, 0, ${now}, ${now}, ${takeUntil}, ${now})
    on conflict (merchant_id, machine_id, type) where status in (0, 1) do nothing returning id`.execute(db.query)
  return rows.length > 0 ? id : undefined
}

/** The pending payment of a machine: the command, and when it was to be taken. */
export async function pendingAppPayment(
  db: TenantDb,
  merchantId: string,
  posId: string,
): Promise<{ commandId: string; expiresAt: Date } | undefined> {
  const { rows } = await sql<{ commandId: string; expiresAt: Date }>`
    select command.id as "commandId", command.expires_at as "expiresAt" from remote_commands command
    where ${db.narrow('remote_commands', 'command')} and command.merchant_id = ${merchantId} and command.machine_id = ${posId}
      and command.type = ${appPaymentCommand} and command.status in (0, 1)`.execute(db.query)
  return rows[0]
}

export const insertAppPayment = (db: TenantDb, order: AppPaymentOrder, commandId: string) =>
  sql`insert into app_payments (merchant_id, id, customer_id, media_id, pos_id, command_id, amount, created_at)
    values (${order.merchantId}, ${order.id}, ${order.customerId}, ${order.mediaId}, ${order.posId}, ${commandId}, ${order.amount}, ${order.now})`.execute(
    db.query,
  )

/** Notes why a payment failed, unless a reason is known already. */
const writeReason = (db: TenantDb, merchantId: string, id: string, reason: AppPaymentReason) =>
  sql`update app_payments set reason = coalesce(reason, ${reason}) where merchant_id = ${merchantId} and id = ${id}`.execute(
    db.query,
  )

async function paymentOfCommand(
  db: TenantDb,
  merchantId: string,
  commandId: string,
): Promise<{ id: string; mediaId: string } | undefined> {
  const { rows } = await sql<{ id: string; mediaId: string }>`
    select payment.id, payment.media_id as "mediaId" from app_payments payment
    where ${db.own('payment')} and payment.merchant_id = ${merchantId} and payment.command_id = ${commandId}`.execute(
    db.query,
  )
  return rows[0]
}

/** Releases the payment of a command, if it is held still. Returns whether it was. */
export async function releaseAppPayment(
  db: TenantDb,
  merchantId: string,
  commandId: string,
  reason: AppPaymentReason,
  at: Date,
): Promise<boolean> {
  const payment = await paymentOfCommand(db, merchantId, commandId)
  if (!payment) return false
  const ended = await endHeld(db, merchantId, { mediaId: payment.mediaId, ids: [payment.id], as: 'released', at })
  if (ended.length > 0) await writeReason(db, merchantId, payment.id, reason)
  return ended.length > 0
}

/** Notes the reason of a payment whose machine failed; its reservation is released with the machine's items. Returns its id. */
export async function failAppPayment(
  db: TenantDb,
  merchantId: string,
  commandId: string,
  reason: AppPaymentReason,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`update app_payments set reason = coalesce(reason, ${reason})
    where merchant_id = ${merchantId} and command_id = ${commandId} returning id`.execute(db.query)
  return rows[0]?.id
}

/**
 * A payment as it is until the end of the transaction, for the machine that claims it. The accounts of the medium are locked first, as a block locks
 * them: of a block and a claim at one moment, the second sees the first. Undefined: the command has no payment.
 */
export async function paymentAtClaim(
  db: TenantDb,
  merchantId: string,
  commandId: string,
  now: Date,
): Promise<PaymentAtClaim | undefined> {
  const payment = await paymentOfCommand(db, merchantId, commandId)
  if (!payment) return undefined
  await holdMedias(db, merchantId, [payment.mediaId])
  const { rows } =
    await sql<PaymentAtClaim>`select reservation.state = 'held' and reservation.expires_at > ${now} as "isHeld",
      media.status as "mediaStatus", payment.customer_id as "payerId", media.customer_id as "ownerId",
      coalesce(account.status = 'active', false) as "isAccountActive",
      coalesce('customerMedia' = any(able.features), false) as "isEnabled"
    from app_payments payment
    join credit_reservations reservation on ${db.own('reservation')} and reservation.merchant_id = payment.merchant_id
      and reservation.id = payment.id
    join medias media on ${db.own('media')} and media.merchant_id = payment.merchant_id and media.id = payment.media_id
    left join customer_accounts account on ${db.own('account')} and account.merchant_id = payment.merchant_id
      and account.customer_id = payment.customer_id
    left join merchant_features able on ${db.own('able')} and able.merchant_id = payment.merchant_id
    where ${db.own('payment')} and payment.merchant_id = ${merchantId} and payment.id = ${payment.id}`.execute(db.query)
  return rows[0]
}
