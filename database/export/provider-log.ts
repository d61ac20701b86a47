import { sql } from 'kysely'
import { providerChanges } from '../platform/provider-log.ts'
import { subjectColumns } from './change-log.ts'
import { type ExportSource, fieldsOf } from './source.ts'

/** Who changed what is no merchant's, by time; told in UTC. */
export const providerLogSource: ExportSource<'providerLog'> = {
  home: { currency: sql`''`, isWhole: sql`false`, local: (instant) => sql`${instant} at time zone 'UTC'` },
  merchant: null,
  zone: sql`'UTC'`,
  timeZone: 'UTC',
  columns: {
    ...subjectColumns,
    changes: {
      before: { heading: 'change-log:heading.before', kind: 'text', sql: sql`c.before::text` },
      after: { heading: 'change-log:heading.after', kind: 'text', sql: sql`c.after::text` },
    },
    who: { who: { heading: 'change-log:column.who', kind: 'text', sql: sql`c.user_name` } },
    at: { at: { heading: 'change-log:column.at', kind: 'instant', sql: sql`c.at` } },
  },
  open: async (_, { filter, ordType }) => {
    const { rows, order } = providerChanges(filter, { ordType })
    return {
      select: (what, limit) => sql`select ${fieldsOf(what)} ${rows} order by ${order}
        ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
      count: sql<{ n: number }>`select count(*)::bigint as n ${rows}`,
    }
  },
}
