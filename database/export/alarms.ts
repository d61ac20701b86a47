import { sql } from 'kysely'
import { alarmOrdering, alarmsMatching } from '../alarms/alarm.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Alarms, filtered and sorted. Files may be passed on, so they never contain users that are hidden from merchants. */
export const alarmsSource: ExportSource<'alarms'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('alarms', 'alarms', {
    alarm: sql`alarms.code`,
    machine: sql`machines.name`,
    serial: sql`machines.serial`,
    group: sql`groups.name`,
    merchant: sql`merchants.name`,
    deviceType: sql`machines.device_type`,
    repairedBy: sql`visible.repaired_by`,
    assignee: sql`visible.assignee`,
    note: sql`alarms.repair_note`,
  }),
  open: async (db, order) => {
    const hidden = await hiddenFrom(db, false)
    const repairer = redactedName(sql`alarms.repaired_by_id`, sql`alarms.repaired_by`, hidden)
    const assignee = redactedName(sql`alarms.assignee_id`, sql`alarms.assignee_name`, hidden)
    const visible = sql<{ repaired_by: string | null; assignee: string | null }>`(
      select ${repairer} as repaired_by, ${assignee} as assignee)`.as('visible')
    const query = (await alarmsMatching(db, order.filter))()
    return rowsOf(
      query.innerJoinLateral(visible, (join) => join.onTrue()),
      alarmOrdering(order),
    )
  },
}

/** The codes of the alarms in a scope. */
export async function alarmCodes(db: TenantDb): Promise<string[]> {
  const rows = await db.from('alarms').select('alarms.code').distinct().execute()
  return rows.map(({ code }) => code)
}
