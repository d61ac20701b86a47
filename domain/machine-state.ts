import type { MachineState } from '#contract/machine.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { type Connection, connections, type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'

/** What the operator reads first. A blocked machine is blocked whether it can still say so or not. */
export function machineState(connection: Connection, posStatus: PosStatus): MachineState {
  if (posStatus === posStatuses.critical) return 'blocked'
  if (connection !== connections.online) return 'silent'
  return posStatus === posStatuses.warning ? 'warning' : 'selling'
}

/** A machine is as bad as its worst open alarm. `worst` is null when none is open. */
export function posStatusOf(worst: number | null): PosStatus {
  if (worst === null || worst < alarmCriticities.warning) return posStatuses.correct
  return worst >= alarmCriticities.blocking ? posStatuses.critical : posStatuses.warning
}
