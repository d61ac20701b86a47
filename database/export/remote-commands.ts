import { sql } from 'kysely'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { commandsMatching, remoteCommandOrdering } from '../commands/remote-command.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'

/** Remote commands, filtered and sorted. Files may be passed on, so they never contain users that are hidden from merchants. */
export const remoteCommandsSource: ExportSource<'remoteCommands'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('remoteCommands', 'remote_commands', {
    amount: sql`(case when remote_commands.type in (${sql.lit(remoteCommandTypes.sendCredit)}, ${sql.lit(remoteCommandTypes.refundCash)}) then (remote_commands.parameters->>'amount')::bigint end)`,
    machine: sql`machines.name`,
    serial: sql`machines.serial`,
    info: sql`remote_commands.result_info`,
    by: sql`visible.by`,
  }),
  open: async (db, order) => {
    const name = redactedName(
      sql`remote_commands.created_by`,
      sql`remote_commands.created_by_name`,
      await hiddenFrom(db, false),
    )
    const visible = sql<{ by: string | null }>`(select ${name} as by)`.as('visible')
    const query = (await commandsMatching(db, order.filter))()
    return rowsOf(
      query.innerJoinLateral(visible, (join) => join.onTrue()),
      remoteCommandOrdering(order),
    )
  },
}
