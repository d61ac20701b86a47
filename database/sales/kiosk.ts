import { type Insertable, sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import type { KioskView } from '#contract/sales/kiosk.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { constraintOf } from '../frame/constraint.ts'
import type { Kiosks } from '../frame/schema.gen.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** A wall display of a merchant; `isOver`: its last day has passed by the merchant's calendar. */
export interface KioskRecord {
  merchant_id: string
  id: string
  name: string
  shows: KioskView
  group_id: string | null
  group_name: string | null
  last_day: string
  isOver: boolean
  created_at: Date
  created_by: string
  created_by_name: string
  last_used_at: Date | null
  last_used_from: string | null
}

const columns = (
  now: Date,
) => sql`k.merchant_id, k.id, k.name, k.shows, k.group_id, g.name as group_name, k.last_day::text as last_day,
  k.last_day < (${now}::timestamptz at time zone m.time_zone)::date as "isOver", k.created_at, k.created_by, k.created_by_name,
  k.last_used_at, k.last_used_from`
const kiosksOf = (db: TenantDb) => sql`kiosks k join merchants m on m.id = k.merchant_id
  left join groups g on ${db.own('g')} and g.merchant_id = k.merchant_id and g.id = k.group_id`

/** A merchant's displays by name. */
export async function listKiosks(db: TenantDb, merchantId: string, now: Date): Promise<KioskRecord[]> {
  const { rows } = await sql<KioskRecord>`select ${columns(now)} from ${kiosksOf(db)}
    where ${db.narrow('kiosks', 'k')} and k.merchant_id = ${merchantId}::uuid order by lower(k.name), k.id`.execute(
    db.query,
  )
  return rows
}

/** The number of a merchant's displays; locks out other creations until the transaction ends. */
export async function countToAdd(db: TenantDb, merchantId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('gettone.kiosks'), hashtext(${merchantId}))`.execute(db.query)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from kiosks k
    where ${db.narrow('kiosks', 'k')} and k.merchant_id = ${merchantId}::uuid`.execute(db.query)
  return rows[0]?.count ?? 0
}

/** Throws KioskNameTaken. */
export const insertKiosk = (db: TenantDb, kiosk: Insertable<Kiosks>) =>
  db.query
    .insertInto('kiosks')
    .values(kiosk)
    .execute()
    .catch((error: unknown) => {
      if (constraintOf(error) === 'kiosks_merchant_id_name_key') throw new ProductError('KioskNameTaken')
      throw error
    })

/** Removes a display. Its secret opens nothing from now on. */
export async function removeKiosk(
  db: TenantDb,
  merchantId: string,
  id: string,
): Promise<KioskRecord['name'] | undefined> {
  const { rows } = await sql<{ name: string }>`delete from kiosks k
    where ${db.narrow('kiosks', 'k')} and k.merchant_id = ${merchantId}::uuid and k.id = ${id}::uuid returning k.name`.execute(
    db.query,
  )
  return rows[0]?.name
}

/** A display with what its rights depend on beside its creator. */
export interface FoundKiosk extends KioskRecord {
  merchantName: string
  currency: Currency
  timeZone: string
  isDemoOver: boolean
  hasPortal: boolean
  countsBlind: boolean
  /** Whether its last use is to be stored. */
  isNewUse: boolean
}

type TenantDoor = Pick<Doors, 'withTenant'>
const whole = (merchantId: string) => [{ merchantId, groups: 'all' as const }]

/** The display of a merchant with the secret of this hash, whether it has ended or not. */
export const findKiosk = (
  doors: TenantDoor,
  { merchantId, hash }: { merchantId: string; hash: string },
  now: Date,
): Promise<FoundKiosk | undefined> =>
  doors.withTenant(
    whole(merchantId),
    async (db) => {
      const { rows } = await sql<FoundKiosk>`select ${columns(now)}, m.name as "merchantName", m.currency,
          m.time_zone as "timeZone", m.web_portal as "hasPortal", m.counts_blind as "countsBlind",
          demo_is_over(m.is_demo, m.demo_expires_on, m.time_zone) as "isDemoOver",
          (k.last_used_at is null or k.last_used_at <= ${now}::timestamptz - interval '1 minute') as "isNewUse"
        from ${kiosksOf(db)}
        where ${db.narrow('kiosks', 'k')} and k.merchant_id = ${merchantId}::uuid and k.token_hash = ${hash}`.execute(
        db.query,
      )
      return rows[0]
    },
    'read',
  )

/** Stores the time and address of a display's use, at most once a minute. */
export const noteKioskUse = (
  doors: TenantDoor,
  { merchant_id: merchantId, id }: Pick<KioskRecord, 'merchant_id' | 'id'>,
  from: string,
  now: Date,
): Promise<void> =>
  doors.withTenant(whole(merchantId), async (db) => {
    await sql`update kiosks k set last_used_at = ${now}, last_used_from = ${from}
      where ${db.narrow('kiosks', 'k')} and k.merchant_id = ${merchantId}::uuid and k.id = ${id}::uuid
        and (k.last_used_at is null or k.last_used_at <= ${now}::timestamptz - interval '1 minute')`.execute(db.query)
  })
