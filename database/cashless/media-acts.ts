import { sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'
import { accountsOf, openLedger } from './ledger.ts'

/** What decides whether a medium may be blocked, refunded or replaced. */
export interface MediaState {
  id: string
  serial: string
  status: number
  customer_id: string | null
  replaces: string | null
  replaced_by: string | null
  registered_at: Date
}

/**
 * Media of a merchant as they are until the end of the transaction: their accounts are locked first, as every change of status and every
 * movement of their credit does it. `refunds`: the account that all refunds of the merchant use, so that two with one key meet.
 */
export async function holdMedias(
  db: TenantDb,
  merchantId: string,
  mediaIds: readonly string[],
  purpose?: 'refunds',
): Promise<Map<string, MediaState>> {
  await openLedger(db, merchantId, [
    ...mediaIds.flatMap(accountsOf),
    ...(purpose === 'refunds' ? [{ kind: 'refunds' as const, ownerId: merchantId }] : []),
  ])
  const { rows } = await sql<MediaState>`select media.id, media.serial, media.status, media.customer_id, media.replaces,
      media.replaced_by, media.registered_at
    from medias media where ${db.own('media')} and media.merchant_id = ${merchantId} and media.id = any(${mediaIds}::uuid[])`.execute(
    db.query,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The owner and the free sales of a lost medium become those of its replacement. */
export async function moveOwner(db: TenantDb, merchantId: string, lostId: string, newId: string): Promise<void> {
  const { rows } = await sql<{ customer_id: string | null; bonus_free_sales: number }>`
    select media.customer_id, media.bonus_free_sales from medias media
    where ${db.own('media')} and media.merchant_id = ${merchantId} and media.id = ${lostId}`.execute(db.query)
  const [lost] = rows
  if (!lost) return
  await sql`update medias set customer_id = coalesce(${lost.customer_id}::uuid, customer_id),
      bonus_free_sales = bonus_free_sales + ${lost.bonus_free_sales}
    where merchant_id = ${merchantId} and id = ${newId}`.execute(db.query)
  await sql`update medias set customer_id = null, bonus_free_sales = 0
    where merchant_id = ${merchantId} and id = ${lostId}`.execute(db.query)
}

/** Assigns a medium to a customer; null removes the customer. */
export const writeOwner = (db: TenantDb, merchantId: string, mediaId: string, customerId: string | null) =>
  sql`update medias set customer_id = ${customerId}, version = version + 1
    where merchant_id = ${merchantId} and id = ${mediaId}`.execute(db.query)

/** Closes a finding of a medium, unless it is closed already. */
export const closeFinding = (
  db: TenantDb,
  finding: { merchantId: string; mediaId: string; id: string },
  user: { id: string; name: string },
  at: Date,
) =>
  sql`update media_findings set closed_at = ${at}, closed_by = ${user.id}, closed_by_name = ${user.name}
    where merchant_id = ${finding.merchantId} and media_id = ${finding.mediaId} and id = ${finding.id} and closed_at is null
    returning id`
    .execute(db.query)
    .then(({ rows }) => rows.length > 0)
