import { type alarms, undoMinutes } from '#contract/alarms/alarm.ts'
import { ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import {
  type ChangedAlarm,
  chosenAlarms,
  reopenAlarms,
  repairAlarms,
  repairsOf,
} from '#database/alarms/alarm-repair.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'

type Rows = Pick<typeof alarms, 'repairAlarms' | 'reopenAlarms'>

function announceAll({ db, live }: Pick<TenantCall, 'db' | 'live'>, changed: readonly ChangedAlarm[]): void {
  db.afterCommit(() => {
    for (const alarm of changed) live.announce(alarm.merchant_id, 'alarm', alarm.machine_id)
  })
}

/** Repairs of many alarms by hand, and their undo. Each alarm has its own entry in the change log. */
export const alarmRepairHandlers: Handlers<Rows> = {
  repairAlarms: async ({ db, body, user, now, live }) => {
    if ('matching' in body.alarms) refuseReversed(body.alarms.matching)
    const { ids, isWhole } = await chosenAlarms(db, body.alarms)
    if (!isWhole) throw new ProductError('AlarmNotFound')
    const repaired = await repairAlarms(db, ids, { ...user, at: now, note: body.note })
    const entry = { at: now, user, action: 'alarm.repair', subjectType: 'alarm' }
    const after = { status: 'repairedManually', repairNote: body.note ?? null }
    await recordChanges(
      db,
      repaired.map((alarm) => ({ ...entry, merchantId: alarm.merchant_id, subjectId: alarm.id, after })),
    )
    announceAll({ db, live }, repaired)
    return {
      repaired: repaired.length,
      alreadyRepaired: ids.length - repaired.length,
      ids: repaired.map(({ id }) => id),
    }
  },

  reopenAlarms: async ({ db, body, user, now, live }) => {
    const ids = [...new Set(body.ids)]
    const repairs = await repairsOf(db, ids)
    if (repairs.length !== ids.length) throw new ProductError('AlarmNotFound')
    const since = new Date(now.getTime() - undoMinutes * 60_000)
    const isOwn = repairs.every(
      (alarm) =>
        alarm.status === 'repairedManually' &&
        alarm.repaired_by_id === user.id &&
        alarm.repaired_at !== null &&
        alarm.repaired_at >= since,
    )
    if (!isOwn) throw new ProductError('UndoTooLate', { minutes: undoMinutes })
    const reopened = repairs.filter((alarm) => !alarm.is_open_again)
    if (reopened.length === 0) throw new ProductError('AlarmOpenAgain')
    await reopenAlarms(db, reopened, { name: user.name, at: now })
    const entry = { at: now, user, action: 'alarm.reopen', subjectType: 'alarm' }
    await recordChanges(
      db,
      reopened.map((alarm) => ({
        ...entry,
        merchantId: alarm.merchant_id,
        subjectId: alarm.id,
        before: { repairedAt: toWireOrNull(alarm.repaired_at), repairNote: alarm.repair_note },
      })),
    )
    announceAll({ db, live }, reopened)
    return { reopened: reopened.length, openAgain: repairs.length - reopened.length }
  },
}
