import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { OwnMedia, OwnTransaction } from '#contract/key-portal/customer-media.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { mediaTypes } from '#contract/vocabulary/transaction.ts'
import type { RowOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { moneyOfSale } from '../sales/money-of-sale.ts'

/** A customer, by merchant. Every query of theirs names both. */
export interface OwnKey {
  merchantId: string
  customerId: string
}

export type OwnMediaRow = RowOf<typeof OwnMedia>

/** Media of a customer with their credit, the wallet first. */
export async function ownMedias(
  db: TenantDb,
  { merchantId, customerId }: OwnKey,
  mediaId?: string,
): Promise<OwnMediaRow[]> {
  const { rows } = await sql<OwnMediaRow>`select media.id, media.serial, media.type, media.status, m.currency,
      coalesce(sum(a.balance - a.reserved), 0)::bigint as credit,
      coalesce(sum(a.balance) filter (where a.kind = 'credit'), 0)::bigint as cloud_credit,
      coalesce(sum(a.balance) filter (where a.kind = 'bonus'), 0)::bigint as bonus_credit,
      coalesce(sum(a.reserved), 0)::bigint as reserved, media.bonus_free_sales, media.key_credit,
      media.key_read_at as key_credit_at, media.last_used_at
    from medias media
    join merchants m on m.id = media.merchant_id
    left join ledger_accounts a on ${db.own('a')} and a.merchant_id = media.merchant_id and a.owner_id = media.id
      and a.kind in ('credit', 'bonus')
    where ${db.own('media')} and media.merchant_id = ${merchantId} and media.customer_id = ${customerId}
      and (${mediaId ?? null}::uuid is null or media.id = ${mediaId ?? null}::uuid)
    group by media.merchant_id, media.id, m.currency
    order by media.type = ${sql.lit(mediaTypes.app)} desc, media.registered_at, media.id`.execute(db.query)
  return rows
}

/** The wallet of a customer, which needs no key; it is created once. The caller has locked the customer. */
export async function walletOf(db: TenantDb, { merchantId, customerId }: OwnKey, now: Date): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${merchantId} ${customerId}`}, 22))`.execute(db.query)
  const { rows } = await sql<{ id: string }>`select media.id from medias media
    where ${db.own('media')} and media.merchant_id = ${merchantId} and media.customer_id = ${customerId}
      and media.type = ${sql.lit(mediaTypes.app)} and media.origin_type = 'app' and media.status <> ${sql.lit(mediaStatuses.lostKey)}
    order by media.registered_at limit 1`.execute(db.query)
  if (rows[0]) return rows[0].id
  const id = randomUUIDv7()
  // 64 random bits.
  const serial = `APP-${crypto.randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`
  await sql`insert into medias (merchant_id, id, serial, type, customer_id, origin_type, registered_at)
    values (${merchantId}, ${id}, ${serial}, 4, ${customerId}, 'app', ${now})`.execute(db.query)
  return id
}

export interface OwnTransactionRow extends Omit<RowOf<typeof OwnTransaction>, 'refundable' | 'machine_code'> {
  machine_serial: string | null
  charged: number
  reversed: number
  refunded: number
}

const countedAtMost = 10_000

/** Transactions of a customer's media, newest first, with those from before a medium was theirs. */
export async function ownTransactions(
  db: TenantDb,
  { merchantId, customerId }: OwnKey,
  { mediaId, page, size }: { mediaId?: string | undefined; page: number; size: number },
): Promise<{ rows: OwnTransactionRow[]; total: number; capped: boolean }> {
  const of = sql`from transactions t
    join medias media on ${db.own('media')} and media.merchant_id = t.merchant_id and media.serial = t.media_serial
    where ${db.own('t')} and t.merchant_id = ${merchantId} and media.customer_id = ${customerId}
      and t.media_serial is not null and t.media_serial <> 'FFFFFFFF'
      and (${mediaId ?? null}::uuid is null or media.id = ${mediaId ?? null}::uuid)`
  const { rows } = await sql<OwnTransactionRow>`select t.id, t.created_at as at, t.type, t.media_serial, t.product,
      coalesce((select machine.name from machines machine where ${db.own('machine')}
        and machine.merchant_id = t.merchant_id and machine.id = t.machine_id), '') as machine_name,
      (select machine.serial from machines machine where ${db.own('machine')}
        and machine.merchant_id = t.merchant_id and machine.id = t.machine_id) as machine_serial, ${moneyOfSale(db)},
      t.value as amount, (select m.currency from merchants m where m.id = t.merchant_id) as currency, t.error_sale as is_failed
    ${of} order by t.created_at desc, t.id desc limit ${size} offset ${(page - 1) * size}`.execute(db.query)
  const counted = await sql<{
    total: number
  }>`select count(*)::int as total from (select 1 ${of} limit ${countedAtMost}) counted`.execute(db.query)
  const total = counted.rows[0]?.total ?? 0
  return { rows, total, capped: total === countedAtMost }
}
