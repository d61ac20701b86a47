import { sql } from 'kysely'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, fieldsOf } from '../frame/export/source.ts'
import { providerChanges } from '../platform/provider-log.ts'

/** The platform audit log, by time; times are UTC. */
export const providerLogSource: ExportSource<'providerLog'> = {
  home: { currency: sql`''`, isWhole: sql`false`, local: (instant) => sql`${instant} at time zone 'UTC'` },
  merchant: null,
  zone: sql`'UTC'`,
  timeZone: 'UTC',
  columns: columnsOfTable(
    'providerLog',
    'provider_log',
    {
      before: sql`c.before::text`,
      after: sql`c.after::text`,
      who: sql`c.user_name`,
    },
    'c',
  ),
  open: async (_, { filter, ordType }) => {
    const { rows, order } = providerChanges(filter, { ordType })
    return {
      select: (what, limit) => sql`select ${fieldsOf(what)} ${rows} order by ${order}
        ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
      count: sql<{ n: number }>`select count(*)::bigint as n ${rows}`,
    }
  },
}
