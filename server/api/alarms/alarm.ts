import { Alarm, type alarms, mostAlarmTimes } from '#contract/alarms/alarm.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { type AlarmRecord, deleteAlarm, findAlarm, listAlarms, pausesOf } from '#database/alarms/alarm.ts'
import { repairAlarms } from '#database/alarms/alarm-repair.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { timesOf } from '#domain/alarms/flapping.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { alarmRepairHandlers } from './alarm-repair.ts'

const presentAlarm = (alarm: AlarmRecord): Alarm =>
  wireOf(Alarm, alarm, { posId: alarm.machine_id, posName: alarm.machine_name, posSerial: alarm.serial })

async function alarmOf(db: TenantDb, posId: string, alarmId: string): Promise<AlarmRecord> {
  const alarm = await findAlarm(db, posId, alarmId)
  if (!alarm) throw new ProductError('AlarmNotFound')
  return alarm
}

const presentAll = async (call: Pick<TenantCall, 'db' | 'user'>, alarms: readonly AlarmRecord[]) =>
  (await withShownNames(call, alarms, 'repaired_by_id', 'repaired_by')).map(presentAlarm)

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
    return {
      ...(alarm as Alarm),
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
