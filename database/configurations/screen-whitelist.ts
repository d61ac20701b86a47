import { sql } from 'kysely'
import { serialKey } from '#domain/machines/serial.ts'
import { when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

const state = sql<string>`case when whitelist_entries.enrolled_at is not null then 'enrolled'
  when whitelist_entries.expires_at > now() then 'open' else 'expired' end`

export const whitelistRows = recordList({
  list: 'screenWhitelist',
  table: 'whitelist_entries',
  where: (_, { states }) => [when(states, (some) => sql<boolean>`${state} = any(${some}::text[])`)],
  beside: {
    pos_name: (db: TenantDb) => sql<string | null>`(select m.name from machines m where ${db.narrow('machines', 'm')}
      and m.merchant_id = whitelist_entries.merchant_id and upper(m.serial) = whitelist_entries.serial limit 1)`,
    state: () => state,
    added_by: () => sql<string>`whitelist_entries.added_by_name`,
  },
})

/** Days in which a screen may enrol, by the merchant's settings. */
export const enrolmentDaysOf = async (db: TenantDb, merchantId: string): Promise<number> =>
  (
    await db
      .from('merchant_details')
      .where('merchant_details.merchant_id', '=', merchantId)
      .select('merchant_details.enrolment_days')
      .executeTakeFirst()
  )?.enrolment_days ?? 30

export const countWhitelist = async (db: TenantDb, merchantId: string): Promise<number> =>
  (
    await db
      .from('whitelist_entries')
      .where('whitelist_entries.merchant_id', '=', merchantId)
      .select(sql<number>`count(*)::int`.as('n'))
      .executeTakeFirstOrThrow()
  ).n

/** Entries of a merchant among some serials, locked until the transaction ends. */
export const listedAmong = (db: TenantDb, merchantId: string, serials: readonly string[]) =>
  db
    .from('whitelist_entries')
    .where('whitelist_entries.merchant_id', '=', merchantId)
    .where(sql<boolean>`whitelist_entries.serial = any(${serials}::text[])`)
    .select(['whitelist_entries.serial', 'whitelist_entries.enrolled_at'])
    .orderBy('whitelist_entries.serial')
    .forUpdate('whitelist_entries')
    .execute()

/** Adds serials, and lets those on the list enrol until the new instant. */
export async function storeWhitelist(
  db: TenantDb,
  merchantId: string,
  entries: readonly { id: string; serial: string }[],
  { by, now, until }: { by: string; now: Date; until: Date },
): Promise<void> {
  for (let from = 0; from < entries.length; from += 1000)
    await db.query
      .insertInto('whitelist_entries')
      .values(
        entries.slice(from, from + 1000).map(({ id, serial }) => ({
          merchant_id: merchantId,
          id,
          serial,
          added_by_name: by,
          created_at: now,
          expires_at: until,
        })),
      )
      .onConflict((conflict) => conflict.columns(['merchant_id', 'serial']).doUpdateSet({ expires_at: until }))
      .execute()
}

/** Removes an entry; undefined outside the scope. */
export async function removeEntry(db: TenantDb, id: string): Promise<(RecordKey & { serial: string }) | undefined> {
  const entry = await db
    .from('whitelist_entries')
    .where('whitelist_entries.id', '=', id)
    .select(['whitelist_entries.merchant_id', 'whitelist_entries.id', 'whitelist_entries.serial'])
    .executeTakeFirst()
  if (!entry) return undefined
  await db.query
    .deleteFrom('whitelist_entries')
    .where('merchant_id', '=', entry.merchant_id)
    .where('id', '=', entry.id)
    .execute()
  return entry
}

/** Whether the screen of a machine is enrolled. A screen in its time to enrol enrols now. */
export const enrol = (doors: Doors, merchantId: string, serial: string, now: Date): Promise<boolean> =>
  doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const entry = await db
      .from('whitelist_entries')
      .where('whitelist_entries.merchant_id', '=', merchantId)
      .where('whitelist_entries.serial', '=', serialKey(serial))
      .select(['whitelist_entries.id', 'whitelist_entries.enrolled_at', 'whitelist_entries.expires_at'])
      .executeTakeFirst()
    if (!entry) return false
    if (entry.enrolled_at) return true
    if (entry.expires_at <= now) return false
    await db.query
      .updateTable('whitelist_entries')
      .set({ enrolled_at: now })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', entry.id)
      .execute()
    return true
  })
