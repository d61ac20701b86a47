import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { type Connection, connections, type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'

interface OpenAlarms {
  /** Null when none is open. */
  worst: number | null
  /** Whether one of them asks for maintenance, however light. */
  hasMaintenance: boolean
}

/** The part of the POS status that open alarms decide; stored with the machine. */
export function posStatusByAlarms({ worst, hasMaintenance }: OpenAlarms): PosStatus {
  if (worst !== null && worst >= alarmCriticities.blocking) return posStatuses.critical
  return hasMaintenance || (worst !== null && worst >= alarmCriticities.warning)
    ? posStatuses.warning
    : posStatuses.correct
}

/** How many machines need attention: all whose POS status is one of `attentionStatuses`. */
export const needingAttention = ({ warning, critical }: { warning: number; critical: number }): number =>
  warning + critical

/** The part that the connection decides. The POS status is the worse of both: `posStatusOf` in database/machines/machine.ts. */
export const posStatusByConnection = {
  [connections.offline]: posStatuses.critical,
  [connections.online]: posStatuses.correct,
  [connections.unknown]: posStatuses.warning,
} as const satisfies Record<Connection, PosStatus>
