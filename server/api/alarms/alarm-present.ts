import { Alarm, type AlarmComment, type AlarmRemedy } from '#contract/alarms/alarm.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { type AlarmRecord, findAlarm } from '#database/alarms/alarm.ts'
import type { AlarmCommentRecord, RemedyRecord } from '#database/alarms/alarm-care.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { sellsStill } from '#domain/alarms/alarm-care.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { type ShownName, withShownNames } from '#server/http/redact-names.ts'
import { wireOf } from '#server/http/wire.ts'

type Reading = Pick<TenantCall, 'db' | 'user'>

/** An alarm without regard to hidden names, for the log. */
export const presentAlarm = (alarm: AlarmRecord): Alarm =>
  wireOf(Alarm, alarm, {
    posId: alarm.machine_id,
    posName: alarm.machine_name,
    posSerial: alarm.serial,
    sellsStill: sellsStill(
      { criticity: alarm.criticity, repairedAt: alarm.repaired_at, lastAt: alarm.last_at },
      alarm.last_sale_at,
    ),
  })

/** An alarm of the scope. */
export async function alarmOf(db: TenantDb, posId: string, alarmId: string): Promise<AlarmRecord> {
  const alarm = await findAlarm(db, posId, alarmId)
  if (!alarm) throw new ProductError('AlarmNotFound')
  return alarm
}

/** Alarms as the caller may see them. */
export async function presentAll(call: Reading, alarms: readonly AlarmRecord[]) {
  const repaired = await withShownNames(call, alarms, 'repaired_by_id', 'repaired_by')
  const acknowledged = await withShownNames(call, repaired, 'acknowledged_by_id', 'acknowledged_by')
  return (await withShownNames(call, acknowledged, 'assignee_id', 'assignee_name')).map(presentAlarm)
}

/** A comment, whose author's name may be kept from the reader. */
export const presentComment = (comment: ShownName<AlarmCommentRecord, 'created_by_name'>): AlarmComment => ({
  id: comment.id,
  at: toWire(comment.created_at),
  by: comment.created_by_name,
  text: comment.text,
})

/** Comments as the caller may see them. */
export const presentComments = async (call: Reading, comments: readonly AlarmCommentRecord[]) =>
  (await withShownNames(call, comments, 'created_by', 'created_by_name')).map(presentComment)

/** What helped last time, as the caller may see it. */
export async function presentRemedy(call: Reading, remedy: RemedyRecord): Promise<AlarmRemedy> {
  const [repair] = await withShownNames(call, [remedy], 'repaired_by_id', 'repaired_by')
  const commands = remedy.command ? [remedy.command] : []
  const [command] = await withShownNames(call, commands, 'created_by', 'created_by_name')
  const [comment] = await presentComments(call, remedy.comment ? [remedy.comment] : [])
  return {
    alarmId: remedy.id,
    posId: remedy.machine_id,
    posName: remedy.machine_name,
    isOfMachine: remedy.isOfMachine,
    createdAt: toWire(remedy.created_at),
    repairedAt: toWire(remedy.repaired_at),
    isByHand: remedy.status === 'repairedManually',
    repairedBy: repair?.repaired_by ?? null,
    repairNote: remedy.repair_note,
    command: command?.executed_at
      ? { type: command.type, executedAt: toWire(command.executed_at), by: command.created_by_name }
      : null,
    comment: comment ?? null,
  }
}
