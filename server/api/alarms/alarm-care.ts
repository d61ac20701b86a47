import { randomUUIDv7 } from 'node:crypto'
import { AlarmAssignee, type alarmCare } from '#contract/alarms/alarm-care.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import type { AlarmRecord } from '#database/alarms/alarm.ts'
import {
  acknowledgeAlarm,
  alarmAssignees,
  assignAlarm,
  findComment,
  insertComment,
  mailAssignee,
} from '#database/alarms/alarm-care.ts'
import { invisibleUsers } from '#database/frame/redacted-name.ts'
import { recordChange } from '#database/platform/change-log.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { alarmOf, presentAll, presentComment } from './alarm-present.ts'

/** The alarm after a change, which is logged and announced. */
async function changed(
  call: Pick<TenantCall, 'db' | 'user' | 'now' | 'live'>,
  before: AlarmRecord,
  action: 'alarm.acknowledge' | 'alarm.assign',
  fields: readonly (keyof AlarmRecord)[],
) {
  const { db, user, now, live } = call
  const stored = await alarmOf(db, before.machine_id, before.id)
  const logged = (alarm: AlarmRecord) =>
    Object.fromEntries(
      fields.map((field) => [
        field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
        alarm[field] instanceof Date ? toWire(alarm[field] as Date) : alarm[field],
      ]),
    )
  await recordChange(db, {
    merchantId: before.merchant_id,
    at: now,
    user,
    action,
    subjectType: 'alarm',
    subjectId: before.id,
    before: logged(before),
    after: logged(stored),
  })
  db.afterCommit(() => live.announce(before.merchant_id, 'alarm', before.machine_id))
  const [alarm] = await presentAll(call, [stored])
  if (!alarm) throw new ProductError('AlarmNotFound')
  return alarm
}

/** Care for an alarm: acknowledgement, assignee, comments. */
export const alarmCareHandlers: Handlers<typeof alarmCare> = {
  acknowledgeAlarm: async (call) => {
    const { db, params, body, user, now } = call
    const alarm = await alarmOf(db, params.posId, params.alarmId)
    const until = body.minutes === null ? null : new Date(now.getTime() + body.minutes * 60_000)
    if (!(await acknowledgeAlarm(db, alarm, { ...user, at: now }, until)))
      throw new ProductError('AlarmAlreadyRepaired')
    return changed(call, alarm, 'alarm.acknowledge', ['acknowledged_until'])
  },

  assignAlarm: async (call) => {
    const { db, doors, params, body, user, now } = call
    const alarm = await alarmOf(db, params.posId, params.alarmId)
    const assignees = body.userId === null ? [] : await alarmAssignees(doors, db, alarm)
    const assignee = assignees.find(({ id }) => id === body.userId) ?? null
    if (body.userId !== null && !assignee) throw new ProductError('UserNotFound')
    if (!(await assignAlarm(db, alarm, assignee))) throw new ProductError('AlarmAlreadyRepaired')
    if (assignee && body.mail) {
      const isHidden = (await invisibleUsers(db)).has(user.id)
      await mailAssignee(db, alarm, assignee, { name: isHidden ? null : user.name, at: now, note: body.note || null })
    }
    return changed(call, alarm, 'alarm.assign', ['assignee_name'])
  },

  commentAlarm: async (call) => {
    const { db, params, body, user, now, live } = call
    const alarm = await alarmOf(db, params.posId, params.alarmId)
    const written = {
      merchant_id: alarm.merchant_id,
      id: body.id ?? randomUUIDv7(),
      alarm_id: alarm.id,
      machine_id: alarm.machine_id,
      created_at: now,
      created_by: user.id,
      created_by_name: user.name,
      text: body.text,
    }
    const inserted = await insertComment(db, written)
    if (!inserted) {
      // The same call, repeated after its answer was lost.
      const same = await findComment(db, alarm, written.id)
      if (same?.created_by !== user.id || same.text !== written.text) throw new ProductError('NoteIdTaken')
      return presentComment(same)
    }
    await recordChange(db, {
      merchantId: alarm.merchant_id,
      at: now,
      user,
      action: 'alarm.comment',
      subjectType: 'alarm',
      subjectId: alarm.id,
      after: { note: body.text },
    })
    db.afterCommit(() => live.announce(alarm.merchant_id, 'alarm', alarm.machine_id))
    return presentComment(inserted)
  },

  listAlarmAssignees: async ({ db, doors, params }) => {
    const alarm = await alarmOf(db, params.posId, params.alarmId)
    const assignees = await alarmAssignees(doors, db, alarm)
    return assignees.map((assignee) => wireOf(AlarmAssignee, assignee))
  },
}
