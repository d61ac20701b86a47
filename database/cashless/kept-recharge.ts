import { sql } from 'kysely'
import type { AccountKind, KeptState } from '#contract/vocabulary/cashless.ts'
import type { RechargeLimit } from '#contract/vocabulary/world/money-limits.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { insertFindings } from './finding.ts'

/*
 * Recharges above a limit. A kept recharge is whole and credited nowhere; a person books it or refuses it, once. Its row changes only while the
 * accounts of its medium are locked, as the ledger does.
 */

/** A recharge to keep. Minor units. */
export interface NewKept {
  id: string
  key: string
  kind: 'recharge' | 'machineRecharge'
  mediaId: string
  amount: number
  from: { kind: AccountKind; ownerId: string }
  at: Date
  posId: string | null
  orderId: string | null
  brokenLimit: RechargeLimit
  allowed: number
}

export interface KeptRecharge extends NewKept {
  state: KeptState
  /** What the provider took back while it was kept. */
  reversed: number
}

/** Keeps recharges, each with a finding on its medium. The caller has looked for their keys. */
export async function keepRecharges(
  db: TenantDb,
  merchantId: string,
  news: readonly NewKept[],
  now: Date,
): Promise<void> {
  if (news.length === 0) return
  await insertFindings(
    db,
    merchantId,
    news.map(({ id, mediaId, key, at, posId, amount, brokenLimit, allowed, orderId }) => ({
      id,
      mediaId,
      kind: 'rechargeKept' as const,
      key: `kept ${key}`.slice(0, 120),
      at,
      amount,
      posId: posId ?? undefined,
      facts: { brokenLimit, allowed, ...(orderId && { orderId }) },
    })),
  )
  await insertRows(
    db.query,
    'kept_recharges',
    [
      'merchant_id',
      'id',
      'key',
      'kind',
      'media_id',
      'amount',
      'from_kind',
      'from_id',
      'at',
      'pos_id',
      'order_id',
      'kept_at',
      'broken_limit',
      'allowed',
    ],
    news.map(({ id, key, kind, mediaId, amount, from, at, posId, orderId, brokenLimit, allowed }) => [
      merchantId,
      id,
      key,
      kind,
      mediaId,
      amount,
      from.kind,
      from.ownerId,
      at,
      posId,
      orderId,
      now,
      brokenLimit,
      allowed,
    ]),
  )
}

/** Which keys are kept, whatever was decided about them. */
export async function keptKeys(db: TenantDb, merchantId: string, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`select kept.key from kept_recharges kept
    where ${db.own('kept')} and kept.merchant_id = ${merchantId} and kept.key = any(${keys}::text[])`.execute(db.query)
  return new Set(rows.map(({ key }) => key))
}

/** A kept recharge by its id or the key of its operation. The caller has locked the accounts of its medium. */
export async function keptRecharge(
  db: TenantDb,
  merchantId: string,
  by: { id: string } | { key: string },
): Promise<KeptRecharge | undefined> {
  const isIt = 'id' in by ? sql`kept.id = ${by.id}` : sql`kept.key = ${by.key}`
  const { rows } = await sql<
    Omit<KeptRecharge, 'from'> & { fromKind: AccountKind; fromId: string }
  >`select kept.id, kept.key, kept.kind, kept.media_id as "mediaId", kept.amount, kept.from_kind as "fromKind",
      kept.from_id as "fromId", kept.at, kept.pos_id as "posId", kept.order_id as "orderId", kept.state, kept.reversed,
      kept.broken_limit as "brokenLimit", kept.allowed
    from kept_recharges kept where ${db.own('kept')} and kept.merchant_id = ${merchantId} and ${isIt}`.execute(db.query)
  const [row] = rows
  if (!row) return undefined
  const { fromKind: kind, fromId: ownerId, ...recharge } = row
  return { ...recharge, from: { kind, ownerId } }
}

/** Ends a kept recharge and closes its finding. `user`: null where its payment provider took all of it back. */
export async function decideKept(
  db: TenantDb,
  merchantId: string,
  { id, mediaId }: Pick<KeptRecharge, 'id' | 'mediaId'>,
  state: Exclude<KeptState, 'open'>,
  { user, at }: { user: { id: string; name: string } | null; at: Date },
): Promise<void> {
  await sql`update kept_recharges set state = ${state}, decided_at = ${at}, decided_by = ${user?.id ?? null},
      decided_by_name = ${user?.name ?? null}
    where merchant_id = ${merchantId} and id = ${id} and state = 'open'`.execute(db.query)
  await sql`update media_findings set closed_at = ${at}, closed_by = ${user?.id ?? null}, closed_by_name = ${user?.name ?? null}
    where merchant_id = ${merchantId} and media_id = ${mediaId} and id = ${id} and closed_at is null`.execute(db.query)
}

/**
 * Takes a reversal of the provider from a kept payment that is not credited. Returns false where the payment is credited, or was never kept: its
 * credit has to be taken back.
 */
export async function reverseKept(
  db: TenantDb,
  merchantId: string,
  key: string,
  amount: number,
  at: Date,
): Promise<boolean> {
  const recharge = await keptRecharge(db, merchantId, { key })
  if (!recharge || recharge.state === 'booked') return false
  const reversed = Math.min(recharge.amount, recharge.reversed + amount)
  await sql`update kept_recharges set reversed = ${reversed} where merchant_id = ${merchantId} and id = ${recharge.id}`.execute(
    db.query,
  )
  if (recharge.state === 'open' && reversed === recharge.amount)
    await decideKept(db, merchantId, recharge, 'reversed', { user: null, at })
  return true
}

/** The states of the kept recharges of web payments, by order. */
export async function keptOfOrders(
  db: TenantDb,
  merchantId: string,
  orderIds: readonly string[],
): Promise<Map<string, KeptState>> {
  const { rows } = await sql<{ key: string; state: KeptState }>`select kept.key, kept.state from kept_recharges kept
    where ${db.own('kept')} and kept.merchant_id = ${merchantId} and kept.key = any(${orderIds.map(keyOfOrder)}::text[])`.execute(
    db.query,
  )
  const states = new Map(rows.map(({ key, state }) => [key, state]))
  return new Map(
    orderIds.flatMap((id) => {
      const state = states.get(keyOfOrder(id))
      return state ? [[id, state] as const] : []
    }),
  )
}

/** The key of the operation that credits a web payment. */
export const keyOfOrder = (orderId: string) => `order ${orderId}`
