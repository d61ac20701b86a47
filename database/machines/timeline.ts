import { sql } from 'kysely'
import type { TimelineEntry } from '#contract/machines/machine.ts'
import { isOfOwnFeature } from '../alarms/alarm.ts'
import { lastlyBy } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'

export interface TimelineRecord extends Omit<TimelineEntry, 'at'> {
  at: Date
  by_id: string | null
}

/**
 * A machine's history before an instant, newest first. Each source returns at most `size` rows, so the cost does not depend on the length
 * of the history.
 */
export async function timelineOf(
  db: TenantDb,
  machine: { merchant_id: string; id: string },
  before: Date,
  size: number,
): Promise<TimelineRecord[]> {
  const of = (alias: string) =>
    sql`${sql.ref(`${alias}.merchant_id`)} = ${machine.merchant_id} and ${sql.ref(`${alias}.machine_id`)} = ${machine.id}`
  const isVisible = sql`${of('a')} and ${isOfOwnFeature(db, 'a')}`
  const reopener = lastlyBy(db, 'alarm.reopen', 'alarm', { merchantId: sql`a.merchant_id`, subjectId: sql`a.id` })
  const { rows } = await sql<TimelineRecord>`
    (select a.id::text, 'alarm' as kind, a.created_at as at, a.code, a.status, a.criticity::int, null as by, null::uuid as by_id,
        a.message as text
      from alarms a where ${isVisible} and a.created_at < ${before} order by a.created_at desc limit ${size})
    union all
    (select a.id::text || '.repair', 'repair', a.repaired_at, a.code, a.status, a.criticity::int, a.repaired_by, a.repaired_by_id,
        a.repair_note
      from alarms a where ${isVisible} and a.repaired_at < ${before} order by a.repaired_at desc limit ${size})
    union all
    (select a.id::text || '.end.' || extract(epoch from p.ended_at), 'repair', p.ended_at, a.code, 'repaired', a.criticity::int, null,
        null, null
      from alarm_pauses p join alarms a on ${db.own('a')} and a.merchant_id = p.merchant_id and a.id = p.alarm_id
      where ${of('p')} and ${isOfOwnFeature(db, 'a')} and p.ended_at < ${before} order by p.ended_at desc limit ${size})
    union all
    (select a.id::text || '.again.' || extract(epoch from p.raised_at), 'alarm', p.raised_at, a.code, a.status, a.criticity::int, null,
        null, a.message
      from alarm_pauses p join alarms a on ${db.own('a')} and a.merchant_id = p.merchant_id and a.id = p.alarm_id
      where ${of('p')} and ${isOfOwnFeature(db, 'a')} and p.raised_at < ${before} order by p.raised_at desc limit ${size})
    union all
    (select a.id::text || '.undone', 'repair', a.undone_repair_at, a.code, a.status, a.criticity::int, a.reopened_by,
        ${reopener}, null
      from alarms a where ${isVisible} and a.undone_repair_at < ${before} order by a.undone_repair_at desc limit ${size})
    union all
    (select a.id::text || '.reopen', 'reopen', a.reopened_at, a.code, a.status, a.criticity::int, a.reopened_by,
        ${reopener}, null
      from alarms a where ${isVisible} and a.reopened_at < ${before} order by a.reopened_at desc limit ${size})
    union all
    (select c.id::text, 'command', coalesce(c.executed_at, c.created_at), c.type::text, c.status::text, null, c.created_by_name,
        c.created_by, c.result::text
      from remote_commands c where ${of('c')} and coalesce(c.executed_at, c.created_at) < ${before}
      order by coalesce(c.executed_at, c.created_at) desc limit ${size})
    union all
    (select r.id::text, 'audit', r.read_at, r.crc, r.origin::text, null, null, null, null
      from audits r where ${of('r')} and r.read_at < ${before} order by r.read_at desc limit ${size})
    union all
    (select n.id::text, 'note', n.created_at, null, null, null, n.created_by_name, n.created_by, n.note
      from notes n where ${of('n')} and n.created_at < ${before} order by n.created_at desc limit ${size})
    union all
    (select p.id::text || '.boot', 'boot', p.last_boot_at, null, null, null, null, null, p.firmware_version
      from machines p where p.merchant_id = ${machine.merchant_id} and p.id = ${machine.id} and p.last_boot_at < ${before})
    union all
    (select p.id::text || '.association', 'association', p.created_at, null, null, null, null, null, p.serial
      from machines p where p.merchant_id = ${machine.merchant_id} and p.id = ${machine.id} and p.created_at < ${before})
    order by at desc, id limit ${size}`.execute(db.query)
  return rows
}
