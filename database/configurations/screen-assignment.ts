import { sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'

/** Machines with what decides whether a screen configuration is sent to them. */
export const machinesForScreen = (db: TenantDb, ids: readonly string[], now: Date) =>
  db
    .from('machines')
    .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
    .select(['machines.merchant_id', 'machines.id', 'machines.name', 'machines.serial'])
    .select(
      sql<boolean>`exists (select 1 from whitelist_entries w where ${db.own('w')} and w.merchant_id = machines.merchant_id
        and w.serial = upper(machines.serial) and (w.enrolled_at is not null or w.expires_at > ${now}))`.as(
        'may_enrol',
      ),
    )
    .orderBy('machines.id')
    .execute()

export interface NewAssignment {
  merchant_id: string
  machine_id: string
  screen_configuration_id: string
  version: number
  document_id: string
  document: string
  command_id: string
  sent_at: Date
}

/** Notes what was sent to machines last. */
export async function assignScreens(db: TenantDb, rows: readonly NewAssignment[]): Promise<void> {
  if (rows.length === 0) return
  await db.query
    .insertInto('screen_assignments')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'machine_id']).doUpdateSet((set) => ({
        screen_configuration_id: set.ref('excluded.screen_configuration_id'),
        version: set.ref('excluded.version'),
        document_id: set.ref('excluded.document_id'),
        document: set.ref('excluded.document'),
        command_id: set.ref('excluded.command_id'),
        sent_at: set.ref('excluded.sent_at'),
      })),
    )
    .execute()
}
