import { sql } from 'kysely'
import type { MediaFilters } from '#contract/cashless/media.ts'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import type { MediaOrigin } from '#contract/vocabulary/cashless.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { totalsOf } from '../frame/list.ts'
import { recordList } from '../frame/record-list.ts'
import type { TenantDb } from '../frame/tenant.ts'

const accounts = (db: TenantDb) => sql`ledger_accounts a where ${db.own('a')} and a.merchant_id = medias.merchant_id
  and a.owner_id = medias.id`
const balanceOf = (db: TenantDb, kind: 'credit' | 'bonus') =>
  sql<number>`coalesce((select a.balance from ${accounts(db)} and a.kind = ${kind}), 0)::bigint`
const ofBoth = (db: TenantDb, what: 'balance - a.reserved' | 'reserved') =>
  sql<number>`coalesce((select sum(a.${sql.raw(what)}) from ${accounts(db)} and a.kind in ('credit', 'bonus')), 0)::bigint`
const findings = (db: TenantDb) => sql`media_findings f where ${db.own('f')} and f.merchant_id = medias.merchant_id
  and f.media_id = medias.id and f.closed_at is null`
const whether = (filter: boolean | undefined, condition: ReturnType<typeof sql>) =>
  when(filter, (expected) => sql<boolean>`(${condition}) = ${expected}`)

const customerName = (db: TenantDb) =>
  sql<string | null>`(select c.name from customers c where ${db.own('c')} and c.merchant_id = medias.merchant_id
    and c.id = medias.customer_id)`

/** Media with their credit. They belong to the merchant as a whole. */
export const mediaList = recordList({
  list: 'medias',
  table: 'medias',
  orders: {
    // The index has media that were never used at its beginning, which is the end of the descending order alone.
    lastUsedAt: (_, ordType) =>
      ordType === 'DESC' ? sql`coalesce(medias.last_used_at, timestamptz '-infinity')` : sql`medias.last_used_at`,
    serial: sql`medias.serial`,
    lastCounter: sql`medias.key_counter`,
    keyCredit: sql`medias.key_credit`,
    origin: sql`medias.origin_type`,
    customer: (db) => sql`lower(${customerName(db)})`,
  },
  full: ['lastUsedAt', 'serial', 'registeredAt'],
  where: (db, { types, statuses, customerIds, hasCustomer, hasFindings, hasReservations }) => [
    anyOf('medias.type', types, 'int'),
    anyOf('medias.status', statuses, 'int'),
    anyOf('medias.customer_id', customerIds, 'uuid'),
    whether(hasCustomer, sql`medias.customer_id is not null`),
    whether(hasFindings, sql`exists (select 1 from ${findings(db)})`),
    whether(hasReservations, sql`exists (select 1 from ${accounts(db)} and a.reserved > 0)`),
  ],
  beside: {
    currency: () => sql<Currency>`(select m.currency from merchants m where m.id = medias.merchant_id)`,
    credit: (db: TenantDb) => ofBoth(db, 'balance - a.reserved'),
    cloud_credit: (db: TenantDb) => balanceOf(db, 'credit'),
    bonus_credit: (db: TenantDb) => balanceOf(db, 'bonus'),
    reserved: (db: TenantDb) => ofBoth(db, 'reserved'),
    open_findings: (db: TenantDb) => sql<number>`(select count(*)::int from ${findings(db)})`,
    customer_name: customerName,
    replaced_by_serial: (db: TenantDb) =>
      sql<string | null>`(select r.serial from medias r where ${db.own('r')} and r.merchant_id = medias.merchant_id
        and r.id = medias.replaced_by)`,
  },
  file: { lastCounter: sql`medias.key_counter` },
})

export type MediaRow = NonNullable<Awaited<ReturnType<typeof mediaList.find>>>

/** Credit, bonus and what machines hold of both, of each medium `of_media`. */
const balances = (db: TenantDb) => sql<{
  merchant_id: string
  of_media: string
  cloud: number
  bonus: number
  reserved: number
}>`(select a.merchant_id, a.owner_id as of_media, sum(a.balance) filter (where a.kind = 'credit') as cloud,
    sum(a.balance) filter (where a.kind = 'bonus') as bonus, sum(a.reserved) as reserved
  from ledger_accounts a where ${db.own('a')} and a.kind in ('credit', 'bonus') group by 1, 2)`
/** The numbers of open findings, of each medium `of_media` that has some. */
const openFindings = (db: TenantDb) => sql<{ merchant_id: string; of_media: string; open: number }>`(
  select f.merchant_id, f.media_id as of_media, count(*) as open
  from media_findings f where ${db.own('f')} and f.closed_at is null group by 1, 2)`

/** The sums of the media that match, by currency. All accounts are read once: figures of each medium would be looked up one by one. */
export async function totalMedias(db: TenantDb, filters: MediaFilters): Promise<ListTotal[]> {
  const { where } = await mediaList.matching(db, filters)
  const matching = () =>
    db
      .from('medias')
      .where(where)
      .innerJoin('merchants', 'merchants.id', 'medias.merchant_id')
      .leftJoin(balances(db).as('balances'), (join) =>
        join.onRef('balances.merchant_id', '=', 'medias.merchant_id').onRef('balances.of_media', '=', 'medias.id'),
      )
      .leftJoin(openFindings(db).as('found'), (join) =>
        join.onRef('found.merchant_id', '=', 'medias.merchant_id').onRef('found.of_media', '=', 'medias.id'),
      )
  return totalsOf(db, matching, {
    currency: sql`merchants.currency`,
    of: {
      credit: sql`coalesce(balances.cloud, 0) + coalesce(balances.bonus, 0) - coalesce(balances.reserved, 0)`,
      cloudCredit: sql`coalesce(balances.cloud, 0)`,
      bonusCredit: sql`coalesce(balances.bonus, 0)`,
      reserved: sql`coalesce(balances.reserved, 0)`,
      keyCredit: sql`medias.key_credit`,
      bonusFreeSales: sql`medias.bonus_free_sales`,
      openFindings: sql`coalesce(found.open, 0)`,
    },
  })
}

/** The types of all media, each with its number of media. */
export async function typesOfMedias(db: TenantDb): Promise<{ code: number; count: number }[]> {
  const { rows } = await sql<{ code: number; count: number }>`select medias.type as code, count(*)::int as count
    from medias where ${db.narrow('medias')} group by 1 order by 1`.execute(db.query)
  return rows
}

/** What serials name: media of the merchant by their normalised serials. */
export async function mediasBySerial(db: TenantDb, merchantId: string, serials: readonly string[]) {
  const { rows } = await sql<{ id: string; serial: string; type: number; status: number }>`
    select media.id, media.serial, media.type, media.status from medias media
    where ${db.own('media')} and media.merchant_id = ${merchantId} and media.serial = any(${serials}::text[])`.execute(
    db.query,
  )
  return new Map(rows.map((row) => [row.serial, row]))
}

/** A medium that staff registers. Undefined if its serial is registered already. */
export async function insertMedia(
  db: TenantDb,
  media: { merchantId: string; id: string; serial: string; type: number; origin: MediaOrigin; at: Date },
): Promise<boolean> {
  const { merchantId, id, serial, type, origin, at } = media
  const { rows } = await sql`insert into medias (merchant_id, id, serial, type, origin_type, registered_at)
    values (${merchantId}, ${id}, ${serial}, ${type}, ${origin}, ${at})
    on conflict (merchant_id, serial) do nothing returning id`.execute(db.query)
  return rows.length > 0
}
