import { sql } from 'kysely'
import type { SetUp } from '#domain/merchants/first-steps.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** What a merchant has set up, without its users. Undefined: the merchant is not in the scope. */
export async function setUpOf(db: TenantDb, merchantId: string) {
  const { rows } = await sql<Omit<SetUp, 'people'> & { isClosed: boolean }>`
    select settings.pin_sealed is not null as "hasPin", settings.first_steps_closed_at is not null as "isClosed",
      ${hasFeature(db, 'vending', 'settings')} as "hasVending",
      (select count(*)::int from (select 1 from machines where ${db.narrow('machines')} and machines.merchant_id = settings.merchant_id
        limit 1) one) as machines,
      (select count(*)::int from (select 1 from products product where ${db.own('product')}
        and product.merchant_id = settings.merchant_id limit 1) one) as products,
      (select count(*)::int from (select 1 from transactions sale where ${db.own('sale')} and sale.merchant_id = settings.merchant_id
        limit 1) one) as sales,
      exists (select 1 from alarm_settings setting where ${db.own('setting')} and setting.merchant_id = settings.merchant_id
        and cardinality(setting.addresses) > 0) as "hasAlarmMails"
    from merchant_settings settings
    where ${db.narrow('merchant_settings', 'settings')} and settings.merchant_id = ${merchantId}`.execute(db.query)
  return rows[0]
}

/** Users of a merchant who are not hidden from it, and whether one of them gets alarms by mail. */
export const usersSetUp = (doors: Pick<Doors, 'withSystem'>, merchantId: string) =>
  doors.withSystem(
    'merchant people',
    async (db) => {
      const { rows } = await sql<{ people: number; hasAlarmMails: boolean }>`
        select count(*)::int as people, coalesce(bool_or(u.receive_notifications), false) as "hasAlarmMails"
        from users u join user_merchants um on um.user_id = u.id
        where um.merchant_id = ${merchantId} and u.status <> 'suspended' and not u.invisible_to_merchants`.execute(db)
      return rows[0] ?? { people: 0, hasAlarmMails: false }
    },
    'single statement',
  )

/** Whether the checklist of a merchant is open. */
export async function hasFirstSteps(db: TenantDb, merchantId: string): Promise<boolean> {
  const row = await db
    .from('merchant_settings')
    .where('merchant_settings.merchant_id', '=', merchantId)
    .select('merchant_settings.first_steps_closed_at')
    .executeTakeFirst()
  return row?.first_steps_closed_at === null
}

/** Closes the checklist at an instant, or opens it. */
export const writeFirstSteps = (db: TenantDb, merchantId: string, closedAt: Date | null) =>
  db.query
    .updateTable('merchant_settings')
    .set({ first_steps_closed_at: closedAt })
    .where(db.narrow('merchant_settings'))
    .where('merchant_id', '=', merchantId)
    .execute()
