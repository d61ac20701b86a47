import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'

/** A machine is as bad as its worst open alarm. `worst` is null when none is open. */
export function posStatusOf(worst: number | null): PosStatus {
  if (worst === null || worst < alarmCriticities.warning) return posStatuses.correct
  return worst >= alarmCriticities.blocking ? posStatuses.critical : posStatuses.warning
}
