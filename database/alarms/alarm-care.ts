import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { remedyCommands } from '#domain/alarms/alarm-care.ts'
import { among } from '../frame/conditions.ts'
import { invisibleUsers } from '../frame/redacted-name.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { type AlarmReader, alarmReaders, sees } from './alarm-people.ts'

interface AlarmId {
  merchant_id: string
  id: string
}

const openStatuses = ['active', 'notification']

/** An update of an alarm, which changes nothing once the alarm has ended. */
const openAlarm = (db: TenantDb, alarm: AlarmId) =>
  db.query
    .updateTable('alarms')
    .where(db.narrow('alarms'))
    .where('merchant_id', '=', alarm.merchant_id)
    .where('id', '=', alarm.id)
    .where('status', 'in', openStatuses)

/** Acknowledges an open alarm, or takes the acknowledgement back. False if it has ended. */
export async function acknowledgeAlarm(
  db: TenantDb,
  alarm: AlarmId,
  by: { id: string; name: string; at: Date },
  until: Date | null,
): Promise<boolean> {
  const { numUpdatedRows } = await openAlarm(db, alarm)
    .set({
      acknowledged_at: until && by.at,
      acknowledged_by: until && by.name,
      acknowledged_by_id: until && by.id,
      acknowledged_until: until,
      // Where a notice is to come, its time is computed again.
      notice_at: sql<Date | null>`case when notice_at is null then null else ${by.at}::timestamptz end`,
    })
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Assigns an open alarm to a user, or removes its assignee. False if it has ended. */
export async function assignAlarm(
  db: TenantDb,
  alarm: AlarmId,
  assignee: { id: string; name: string } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await openAlarm(db, alarm)
    .set({ assignee_id: assignee?.id ?? null, assignee_name: assignee?.name ?? null })
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** The users who may take care of an alarm: they see its machine, and merchants see them. By name. */
export async function alarmAssignees(
  doors: Doors,
  db: TenantDb,
  alarm: { merchant_id: string; group_id: string | null },
): Promise<AlarmReader[]> {
  const readers = await doors.withSystem(
    'merchant people',
    (system) => alarmReaders(system, alarm.merchant_id),
    'single statement',
  )
  const hidden = await invisibleUsers(db)
  return readers
    .filter((reader) => sees(reader, alarm.group_id) && !hidden.has(reader.id))
    .sort((one, other) => one.name.localeCompare(other.name))
}

/** Sends an alarm to its assignee by mail, at once and also in quiet hours. Sent again, it is another mail. `name`: null of a hidden user. */
export async function mailAssignee(
  db: TenantDb,
  alarm: AlarmId & { machine_id: string },
  { id, email }: Pick<AlarmReader, 'id' | 'email'>,
  by: { name: string | null; at: Date; note: string | null },
): Promise<void> {
  const { number } = await db
    .from('alarm_notifications')
    .where('alarm_notifications.merchant_id', '=', alarm.merchant_id)
    .where('alarm_notifications.alarm_id', '=', alarm.id)
    .where('alarm_notifications.kind', '=', 'assigned')
    .where('alarm_notifications.recipient', '=', email)
    .select(sql<number>`coalesce(max(alarm_notifications.number) + 1, 0)`.as('number'))
    .executeTakeFirstOrThrow()
  await db.query
    .insertInto('alarm_notifications')
    .values({
      merchant_id: alarm.merchant_id,
      alarm_id: alarm.id,
      kind: 'assigned',
      number,
      recipient: email,
      machine_id: alarm.machine_id,
      user_id: id,
      planned_at: by.at,
      next_attempt_at: by.at,
      mail_id: randomUUIDv7(),
      sent_by: by.name,
      note: by.note,
    })
    .execute()
}

export interface AlarmCommentRecord {
  id: string
  alarm_id: string
  created_at: Date
  created_by: string
  created_by_name: string
  text: string
}

/** Stores a comment, unless one with its id exists; undefined then. */
export const insertComment = (
  db: TenantDb,
  comment: AlarmCommentRecord & { merchant_id: string; machine_id: string },
): Promise<AlarmCommentRecord | undefined> =>
  db.query
    .insertInto('alarm_comments')
    .values(comment)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()

const commentsIn = (db: TenantDb, alarm: AlarmId) =>
  db
    .from('alarm_comments')
    .where('alarm_comments.merchant_id', '=', alarm.merchant_id)
    .where('alarm_comments.alarm_id', '=', alarm.id)
    .selectAll('alarm_comments')

export const findComment = (db: TenantDb, alarm: AlarmId, id: string): Promise<AlarmCommentRecord | undefined> =>
  commentsIn(db, alarm).where('alarm_comments.id', '=', id).executeTakeFirst()

/** The latest comments on an alarm, oldest first. */
export const commentsOf = async (db: TenantDb, alarm: AlarmId, most: number): Promise<AlarmCommentRecord[]> =>
  (await commentsIn(db, alarm).orderBy('alarm_comments.created_at', 'desc').limit(most).execute()).reverse()

/**
 * The last ended alarm of the same code, on the same machine or else on another one of its model, with the last command before its end that
 * could end a fault, and the last comment.
 */
export async function lastRemedy(
  db: TenantDb,
  alarm: AlarmId & { machine_id: string; code: string; device_type: string; repaired_at: Date | null },
) {
  const ended = (where: RawBuilder<SqlBool>) =>
    db
      .from('alarms')
      .innerJoin('machines', (join) =>
        join.onRef('machines.merchant_id', '=', 'alarms.merchant_id').onRef('machines.id', '=', 'alarms.machine_id'),
      )
      .where('alarms.merchant_id', '=', alarm.merchant_id)
      .where('alarms.code', '=', alarm.code)
      .where('alarms.id', '<>', alarm.id)
      .where('alarms.status', 'not in', openStatuses)
      .where('alarms.repaired_at', '<', alarm.repaired_at ?? sql<Date>`'infinity'::timestamptz`)
      .where(where)
      .selectAll('alarms')
      .select('machines.name as machine_name')
      .orderBy('alarms.created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  const last =
    (await ended(sql<SqlBool>`alarms.machine_id = ${alarm.machine_id}`)) ??
    (await ended(sql<SqlBool>`machines.device_type = ${alarm.device_type}`))
  if (!last?.repaired_at) return undefined
  const command = await db
    .from('remote_commands')
    .where('remote_commands.merchant_id', '=', last.merchant_id)
    .where('remote_commands.machine_id', '=', last.machine_id)
    .where(among('remote_commands.type', remedyCommands, 'int'))
    .where('remote_commands.status', 'in', [remoteCommandStatuses.received, remoteCommandStatuses.receivedWithWarnings])
    .where('remote_commands.executed_at', '>=', last.created_at)
    .where('remote_commands.executed_at', '<=', last.repaired_at)
    .select(['remote_commands.type', 'remote_commands.created_by', 'remote_commands.created_by_name'])
    .select('remote_commands.executed_at')
    .orderBy('remote_commands.executed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const comment = await commentsIn(db, last)
    .where('alarm_comments.created_at', '<=', last.repaired_at)
    .orderBy('alarm_comments.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { ...last, repaired_at: last.repaired_at, isOfMachine: last.machine_id === alarm.machine_id, command, comment }
}
export type RemedyRecord = Awaited<ReturnType<typeof lastRemedy>> & object
