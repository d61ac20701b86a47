import type { ExportList } from '#contract/export.ts'
import { alarmsSource } from './alarms.ts'
import { auditsSource } from './audits.ts'
import { machinesSource } from './machines.ts'
import { notesSource } from './notes.ts'
import { remoteCommandsSource } from './remote-commands.ts'
import type { ExportSource } from './source.ts'
import { statsByPosSource } from './stats-by-pos.ts'
import { transactionsSource } from './transactions.ts'

/** Every list that can be exported. */
export const exportSources: { [L in ExportList]: ExportSource<L> } = {
  machines: machinesSource,
  alarms: alarmsSource,
  transactions: transactionsSource,
  statsByPos: statsByPosSource,
  audits: auditsSource,
  remoteCommands: remoteCommandsSource,
  notes: notesSource,
}
