import type { MachineState } from '#contract/machines/machine-state.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { type Connection, connections, type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'

interface OpenAlarms {
  /** Null when none is open. */
  worst: number | null
  /** Whether an alarm requires maintenance, even a light one. */
  hasMaintenance: boolean
}

/** The part of the POS status that open alarms decide; stored with the machine. */
export function posStatusByAlarms({ worst, hasMaintenance }: OpenAlarms): PosStatus {
  if (worst !== null && worst >= alarmCriticities.blocking) return posStatuses.critical
  return hasMaintenance || (worst !== null && worst >= alarmCriticities.warning)
    ? posStatuses.warning
    : posStatuses.correct
}

/** The number of machines that need attention: all with a POS status of `attentionStatuses`. */
export const needingAttention = ({ warning, critical }: { warning: number; critical: number }): number =>
  warning + critical

/** The part that the connection decides. The POS status is the worse of both: `posStatusOf` in database/machines/machine.ts. */
export const posStatusByConnection = {
  [connections.offline]: posStatuses.critical,
  [connections.online]: posStatuses.correct,
  [connections.unknown]: posStatuses.warning,
} as const satisfies Record<Connection, PosStatus>

/** The main state that the operator sees. A blocked machine is shown as blocked even if it is offline. */
export function machineStateOf({
  byAlarms,
  connection,
}: {
  byAlarms: PosStatus
  connection: Connection
}): MachineState {
  if (byAlarms === posStatuses.critical) return 'blocked'
  if (connection !== connections.online) return 'silent'
  return byAlarms === posStatuses.warning ? 'warning' : 'selling'
}
