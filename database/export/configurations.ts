import { sql } from 'kysely'
import { configurationOrdering, configurationsOf, parameterCount } from '../configurations/configuration.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

/** The configurations that a machine has reported, each with how many parameters differ from the one before. */
export const configurationsSource: ExportSource<'configurations'> = {
  ...homeOf('merchants'),
  columns: {
    readAt: { readAt: { heading: 'configuration:column.readAt', kind: 'instant', sql: sql`configurations.read_at` } },
    changes: {
      added: { heading: 'export:column.parametersAdded', kind: 'number', sql: sql`changes.added` },
      removed: { heading: 'export:column.parametersRemoved', kind: 'number', sql: sql`changes.removed` },
      changed: { heading: 'export:column.parametersChanged', kind: 'number', sql: sql`changes.changed` },
    },
    origin: {
      origin: {
        heading: 'configuration:column.origin',
        kind: 'word',
        of: 'auditOrigin',
        sql: sql`configurations.origin`,
      },
    },
    port: {
      port: { heading: 'configuration:column.port', kind: 'word', of: 'auditPort', sql: sql`configurations.port` },
    },
    confirmedAt: {
      confirmedAt: {
        heading: 'configuration:column.confirmedAt',
        kind: 'instant',
        sql: sql`configurations.confirmed_at`,
      },
    },
    parameters: { parameters: { heading: 'configuration:column.parameters', kind: 'number', sql: parameterCount } },
  },
  open: async (db, order) => rowsOf(configurationsOf(db, order.posId), configurationOrdering(order)),
}
