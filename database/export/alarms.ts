import { sql } from 'kysely'
import { alarmOrdering, alarmsMatching } from '../alarms/alarm.ts'
import { nameTold } from '../frame/name-told.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

/** Alarms, as filtered and sorted. A file is passed on, so those whom merchants are not shown stand in none. */
export const alarmsSource: ExportSource<'alarms'> = {
  ...homeOf('merchants'),
  columns: {
    criticity: {
      criticity: { heading: 'alarm:column.criticity', kind: 'word', of: 'alarmCriticity', sql: sql`alarms.criticity` },
    },
    code: {
      alarm: { heading: 'alarm:column.alarm', kind: 'alarm', sql: sql`alarms.code` },
      code: { heading: 'alarm:fact.code', kind: 'text', sql: sql`alarms.code` },
    },
    posName: {
      machine: { heading: 'alarm:column.machine', kind: 'text', sql: sql`machines.name` },
      serial: { heading: 'alarm:fact.serial', kind: 'text', sql: sql`machines.serial` },
      group: { heading: 'alarm:column.group', kind: 'text', sql: sql`groups.name` },
    },
    merchant: { merchant: { heading: 'alarm:column.merchant', kind: 'text', sql: sql`merchants.name` } },
    category: {
      category: { heading: 'alarm:column.category', kind: 'word', of: 'alarmCategory', sql: sql`alarms.category` },
    },
    source: { source: { heading: 'alarm:column.source', kind: 'word', of: 'alarmSource', sql: sql`alarms.source` } },
    deviceType: {
      deviceType: { heading: 'alarm:fact.model', kind: 'word', of: 'deviceType', sql: sql`machines.device_type` },
    },
    group: { group: { heading: 'alarm:column.group', kind: 'text', sql: sql`groups.name` } },
    status: { status: { heading: 'alarm:column.status', kind: 'word', of: 'alarmStatus', sql: sql`alarms.status` } },
    createdAt: { createdAt: { heading: 'alarm:column.since', kind: 'instant', sql: sql`alarms.created_at` } },
    lastAt: {
      lastAt: { heading: 'alarm:column.last', kind: 'instant', sql: sql`alarms.last_at` },
      count: { heading: 'alarm:fact.count', kind: 'number', sql: sql`alarms.count` },
    },
    repairedAt: {
      repairedAt: { heading: 'alarm:column.repaired', kind: 'instant', sql: sql`alarms.repaired_at` },
      repairedBy: {
        heading: 'alarm:fact.repairedBy',
        kind: 'text',
        sql: nameTold(sql`alarms.repaired_by_id`, sql`alarms.repaired_by`, false),
      },
      note: { heading: 'alarm:fact.note', kind: 'text', sql: sql`alarms.repair_note` },
    },
    mcbf: { mcbf: { heading: 'alarm:fact.mcbf', kind: 'number', sql: sql`alarms.mcbf` } },
    remainingCycles: {
      remainingCycles: { heading: 'alarm:fact.remaining', kind: 'number', sql: sql`alarms.remaining_cycles` },
    },
    detail: {
      message: { heading: 'alarm:fact.message', kind: 'text', sql: sql`alarms.message` },
      detail: { heading: 'alarm:fact.detail', kind: 'text', sql: sql`alarms.detail` },
    },
    id: { id: { heading: 'export:column.id', kind: 'plain', sql: sql`alarms.id` } },
  },
  open: async (db, order) => rowsOf((await alarmsMatching(db, order.filter))(), alarmOrdering(order)),
}

/** The codes of the alarms in a scope. */
export async function alarmCodes(db: TenantDb): Promise<string[]> {
  const rows = await db.from('alarms').select('alarms.code').distinct().execute()
  return rows.map(({ code }) => code)
}
