import { sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import { among } from '../frame/conditions.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { lockJournals } from '../ingest/journal.ts'
import { type Amounts, addToGroups, amounts, isoOf, type KindOfSales, sumsOfAmounts } from '../sums/group-hours.ts'
import { sumsLock } from '../sums/sums-lock.ts'

/**
 * Records locked machines that leave the group under which their sums are stored. Readers of sums by group correct for such machines, so
 * the sums are right immediately; the worker moves them later.
 */
export const noteRegrouped = (
  db: TenantDb,
  machines: readonly { merchantId: string; machineId: string; groupId: string | null }[],
): Promise<void> =>
  insertRows(
    db.query,
    'regrouped_machines',
    ['merchant_id', 'machine_id', 'summed_group_id'],
    machines.map(({ merchantId, machineId, groupId }) => [merchantId, machineId, groupId]),
    'on conflict (merchant_id, machine_id) do nothing',
  )

/** Records the locked machines of the scope that change to these groups. */
export async function noteNewGroups(db: TenantDb, groupOf: ReadonlyMap<string, string | null>): Promise<void> {
  const before = await db
    .from('machines')
    .where(among('machines.id', [...groupOf.keys()], 'uuid'))
    .select(['merchant_id as merchantId', 'id as machineId', 'group_id as groupId'])
    .execute()
  await noteRegrouped(
    db,
    before.filter(({ machineId, groupId }) => groupOf.get(machineId) !== groupId),
  )
}

export interface Regrouped {
  merchantId: string
  machineId: string
}

/** Machines whose sums are not stored under their current group yet. */
export const regroupedMachines = (doors: Doors, limit: number): Promise<Regrouped[]> =>
  doors.withSystem(
    'rollups',
    (db) =>
      db
        .selectFrom('regrouped_machines')
        .select(['merchant_id as merchantId', 'machine_id as machineId'])
        .orderBy('merchant_id')
        .orderBy('machine_id')
        .limit(limit)
        .execute(),
    'single statement',
  )

/**
 * Moves a machine's sums to its current group. It locks the journal, so that no sale is added under the old group, and the machine, so
 * that its group stays.
 */
export function moveSums(doors: Doors, { merchantId, machineId }: Regrouped): Promise<void> {
  return doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    await sql`select pg_advisory_xact_lock(${sumsLock(merchantId)})`.execute(db.query)
    await lockJournals(db, [{ merchantId, id: machineId }])
    const machine = await db.query
      .selectFrom('machines')
      .where('merchant_id', '=', merchantId)
      .where('id', '=', machineId)
      .select('group_id')
      .forNoKeyUpdate()
      .executeTakeFirst()
    const noted = await db.query
      .deleteFrom('regrouped_machines')
      .where('merchant_id', '=', merchantId)
      .where('machine_id', '=', machineId)
      .returning('summed_group_id')
      .executeTakeFirst()
    if (!machine || !noted || machine.group_id === noted.summed_group_id) return
    for (const level of ['hour', 'day'] as const) {
      const rows = await sumsOfMachine(db, level, { merchantId, machineId })
      await addToGroups(db, level, [
        ...rows.map((row) => ({ ...negated(row), groupId: noted.summed_group_id })),
        ...rows.map((row) => ({ ...row, groupId: machine.group_id })),
      ])
    }
    await db.query
      .updateTable('machine_journals')
      .set({ summed_group_id: machine.group_id })
      .where('merchant_id', '=', merchantId)
      .where('machine_id', '=', machineId)
      .execute()
  })
}

type Row = KindOfSales & { hour: string; day: string }

const negated = <R extends Amounts>(row: R): R => ({
  ...row,
  ...Object.fromEntries(amounts.map((name) => [name, -row[name]])),
})

async function sumsOfMachine(
  db: TenantDb,
  level: 'hour' | 'day',
  { merchantId, machineId }: Regrouped,
): Promise<Row[]> {
  const table = level === 'hour' ? 'sales_hourly' : 'sales_daily'
  const hour = level === 'hour' ? isoOf('s.hour') : sql`null`
  const { rows } = await sql<Row>`
    select s.merchant_id as "merchantId", s.day::text as day, ${hour} as hour, s.type, s.media_type as "mediaType",
      s.media_source as "mediaSource", ${sumsOfAmounts('s')}
    from ${sql.table(table)} s where s.merchant_id = ${merchantId} and s.machine_id = ${machineId} and ${db.narrow(table, 's')}
    group by 1, 2, 3, 4, 5, 6`.execute(db.query)
  return rows
}
