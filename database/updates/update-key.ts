import { sql } from 'kysely'
import type { Doors } from '../frame/tenant.ts'

/** Notes the key that a machine has fetched. Without a row it was deleted meanwhile. */
export const noteUpdateKey = (
  doors: Doors,
  { merchantId, id }: { merchantId: string; id: string },
  key: string,
): Promise<void> =>
  doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    await db.query
      .updateTable('machine_secrets')
      .set({ update_key: key })
      .where('merchant_id', '=', merchantId)
      .where('machine_id', '=', id)
      .where(sql<boolean>`update_key is distinct from ${key}`)
      .execute()
  })

/** How many machines have another key than this one; `first` is that of machines without a note. Merchants are read one after the other. */
export async function machinesWithOtherKey(doors: Doors, key: string, first: string): Promise<number> {
  const merchants = await doors.withSystem(
    'deployment keys',
    (db) => db.selectFrom('merchants').select('id').execute(),
    'single statement',
  )
  let machines = 0
  for (const { id } of merchants)
    machines += await doors.withTenant(
      [{ merchantId: id, groups: 'all' }],
      async (db) => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from machine_secrets
          where ${db.own('machine_secrets')} and coalesce(update_key, ${first}) <> ${key}`.execute(db.query)
        return rows[0]?.n ?? 0
      },
      'read',
    )
  return machines
}
