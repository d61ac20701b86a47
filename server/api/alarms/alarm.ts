import { type Alarm, type alarms, mostAlarmComments, mostAlarmTimes } from '#contract/alarms/alarm.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { deleteAlarm, listAlarms, pausesOf } from '#database/alarms/alarm.ts'
import { commentsOf, lastRemedy } from '#database/alarms/alarm-care.ts'
import { repairAlarms } from '#database/alarms/alarm-repair.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { timesOf } from '#domain/alarms/flapping.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { alarmOf, presentAlarm, presentAll, presentComments, presentRemedy } from './alarm-present.ts'
import { alarmRepairHandlers } from './alarm-repair.ts'

export const alarmHandlers: Handlers<typeof alarms> = {
  ...alarmRepairHandlers,

  listAlarms: async (call) => {
    const { db, query } = call
    refuseReversed(query)
    const { rows, total, capped } = await listAlarms(db, query, query)
    return { items: await presentAll(call, rows), total, capped }
  },

  listMachineAlarms: async (call) => {
    const { db, params, query } = call
    refuseReversed(query)
    const { rows, total, capped } = await listAlarms(db, { ...query, machineId: params.posId }, query)
    return { items: await presentAll(call, rows), total, capped }
  },

  getAlarm: async (call) => {
    const { posId, alarmId } = call.params
    const stored = await alarmOf(call.db, posId, alarmId)
    const [alarm] = await presentAll(call, [stored])
    const pauses = await pausesOf(call.db, stored, mostAlarmTimes)
    const times = timesOf({ createdAt: stored.created_at, repairedAt: stored.repaired_at }, pauses)
    const comments = await commentsOf(call.db, stored, mostAlarmComments)
    const remedy = await lastRemedy(call.db, stored)
    return {
      ...(alarm as Alarm),
      comments: await presentComments(call, comments),
      remedy: remedy ? await presentRemedy(call, remedy) : null,
      times: times.slice(0, mostAlarmTimes).map(({ from, to }) => ({ from: toWire(from), to: toWireOrNull(to) })),
    }
  },

  repairAlarm: async ({ db, params, body, user, now, live }) => {
    const alarm = await alarmOf(db, params.posId, params.alarmId)
    const repaired = await repairAlarms(db, [alarm.id], { ...user, at: now, note: body.note })
    if (repaired.length === 0) throw new ProductError('AlarmAlreadyRepaired')
    const after = presentAlarm(await alarmOf(db, params.posId, params.alarmId))
    await recordChange(db, {
      merchantId: alarm.merchant_id,
      at: now,
      user,
      action: 'alarm.repair',
      subjectType: 'alarm',
      subjectId: alarm.id,
      before: presentAlarm(alarm),
      after,
    })
    db.afterCommit(() => live.announce(alarm.merchant_id, 'alarm', alarm.machine_id))
    return after
  },

  deleteAlarm: async ({ db, params, user, now, live }) => {
    const alarm = await alarmOf(db, params.posId, params.alarmId)
    await deleteAlarm(db, alarm)
    await recordChange(db, {
      merchantId: alarm.merchant_id,
      at: now,
      user,
      action: 'alarm.delete',
      subjectType: 'alarm',
      subjectId: alarm.id,
      before: presentAlarm(alarm),
    })
    db.afterCommit(() => live.announce(alarm.merchant_id, 'alarm', alarm.machine_id))
    return undefined
  },
}
