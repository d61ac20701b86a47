import type { TimelineEntry } from '#contract/machines/machine.ts'
import type { MachineState } from '#contract/machines/machine-state.ts'
import type { AlarmCriticity, AlarmStatus } from '#contract/vocabulary/alarm.ts'
import type { CrcVerdict } from '#contract/vocabulary/audit.ts'
import type { Connection, PosStatus } from '#contract/vocabulary/device.ts'
import type { RemoteCommandResult, RemoteCommandStatus } from '#contract/vocabulary/remote-command.ts'
import type { Appearance } from './StatusBadge.tsx'

// Colour, mark and word of each state. The tables are total, so a new state compiles only with all three.

export const machineStateLooks = {
  blocked: { tone: 'crit', mark: 'triangle', word: 'vocabulary:machineState.blocked' },
  silent: { tone: 'mute', mark: 'ring', word: 'vocabulary:machineState.silent' },
  warning: { tone: 'warn', mark: 'triangle', word: 'vocabulary:machineState.warning' },
  selling: { tone: 'ok', mark: 'dot', word: 'vocabulary:machineState.selling' },
} as const satisfies Record<MachineState, Appearance>

export const connectionLooks = {
  0: { tone: 'crit', mark: 'cross', word: 'vocabulary:connection.offline' },
  1: { tone: 'ok', mark: 'dot', word: 'vocabulary:connection.online' },
  2: { tone: 'mute', mark: 'ring', word: 'vocabulary:connection.unknown' },
} as const satisfies Record<Connection, Appearance>

export const posStatusLooks = {
  1: { tone: 'ok', mark: 'check', word: 'vocabulary:posStatus.correct' },
  2: { tone: 'warn', mark: 'triangle', word: 'vocabulary:posStatus.warning' },
  3: { tone: 'crit', mark: 'triangle', word: 'vocabulary:posStatus.critical' },
} as const satisfies Record<PosStatus, Appearance>

export const alarmStatusLooks = {
  active: { tone: 'crit', mark: 'dot', word: 'vocabulary:alarmStatus.active' },
  notification: { tone: 'info', mark: 'dot', word: 'vocabulary:alarmStatus.notification' },
  repaired: { tone: 'ok', mark: 'check', word: 'vocabulary:alarmStatus.repaired' },
  repairedManually: { tone: 'ok', mark: 'half', word: 'vocabulary:alarmStatus.repairedManually' },
} as const satisfies Record<AlarmStatus, Appearance>

export const alarmCriticityLooks = {
  0: { tone: 'info', mark: 'dot', word: 'vocabulary:alarmCriticity.notification' },
  2: { tone: 'warn', mark: 'ring', word: 'vocabulary:alarmCriticity.warning' },
  4: { tone: 'crit', mark: 'triangle', word: 'vocabulary:alarmCriticity.blocking' },
} as const satisfies Record<AlarmCriticity, Appearance>

export const commandStatusLooks = {
  0: { tone: 'mute', mark: 'clock', word: 'vocabulary:commandStatus.scheduled' },
  1: { tone: 'info', mark: 'half', word: 'vocabulary:commandStatus.running' },
  2: { tone: 'ok', mark: 'check', word: 'vocabulary:commandStatus.received' },
  3: { tone: 'crit', mark: 'cross', word: 'vocabulary:commandStatus.notExecuted' },
  4: { tone: 'warn', mark: 'triangle', word: 'vocabulary:commandStatus.receivedWithWarnings' },
  5: { tone: 'crit', mark: 'triangle', word: 'vocabulary:commandStatus.receivedWithErrors' },
} as const satisfies Record<RemoteCommandStatus, Appearance>

export const commandResultLooks = {
  0: { tone: 'ok', mark: 'check', word: 'vocabulary:commandResult.success' },
  1: { tone: 'crit', mark: 'dash', word: 'vocabulary:commandResult.unsupported' },
  2: { tone: 'crit', mark: 'triangle', word: 'vocabulary:commandResult.unknownError' },
  3: { tone: 'warn', mark: 'triangle', word: 'vocabulary:commandResult.unknownWarning' },
  [-1]: { tone: 'crit', mark: 'cross', word: 'vocabulary:commandResult.retriesExceeded' },
  [-2]: { tone: 'mute', mark: 'clock', word: 'vocabulary:commandResult.expired' },
  [-3]: { tone: 'mute', mark: 'cross', word: 'vocabulary:commandResult.cancelledByUser' },
} as const satisfies Record<RemoteCommandResult, Appearance>

export const crcLooks = {
  holds: { tone: 'ok', mark: 'check', word: 'vocabulary:crc.holds' },
  holdsSwapped: { tone: 'ok', mark: 'half', word: 'vocabulary:crc.holdsSwapped' },
  fails: { tone: 'crit', mark: 'cross', word: 'vocabulary:crc.fails' },
  absent: { tone: 'mute', mark: 'dash', word: 'vocabulary:crc.absent' },
} as const satisfies Record<CrcVerdict, Appearance>

export const timelineLooks = {
  alarm: { tone: 'crit', mark: 'triangle', word: 'vocabulary:timeline.alarm' },
  repair: { tone: 'ok', mark: 'check', word: 'vocabulary:timeline.repair' },
  reopen: { tone: 'warn', mark: 'half', word: 'vocabulary:timeline.reopen' },
  command: { tone: 'info', mark: 'dot', word: 'vocabulary:timeline.command' },
  audit: { tone: 'mute', mark: 'ring', word: 'vocabulary:timeline.audit' },
  note: { tone: 'gold', mark: 'ring', word: 'vocabulary:timeline.note' },
  boot: { tone: 'mute', mark: 'half', word: 'vocabulary:timeline.boot' },
  association: { tone: 'gold', mark: 'dot', word: 'vocabulary:timeline.association' },
} as const satisfies Record<TimelineEntry['kind'], Appearance>
