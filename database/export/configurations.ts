import { sql } from 'kysely'
import { configurationOrdering, configurationsOf, parameterCount } from '../configurations/configuration.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'

/** The configurations that a machine reported, each with its number of changed parameters. */
export const configurationsSource: ExportSource<'configurations'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('configurations', 'configurations', {
    added: sql`changes.added`,
    removed: sql`changes.removed`,
    changed: sql`changes.changed`,
    parameters: parameterCount,
  }),
  open: async (db, order) => rowsOf(configurationsOf(db, order.posId), configurationOrdering(order)),
}
