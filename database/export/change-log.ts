import { sql } from 'kysely'
import { alarmCodeOf, commandTypeOf, factsTold, posNameOf, userNameOf, wantedOf } from '../platform/change-log-list.ts'
import { columnsOfTable } from './columns.ts'
import { type ExportSource, fieldsOf, homeOf } from './source.ts'

const subjectNameOf = sql`case when c.subject_type = 'machine' then (select s.name from machines s
  where s.merchant_id = c.merchant_id and s.id::text = c.subject_id) end`

/** Who changed what, by time. A file is passed on, so those whom merchants are not shown stand in none. */
export const changeLogSource: ExportSource<'changeLog'> = {
  ...homeOf('m'),
  columns: columnsOfTable(
    'changeLog',
    'change_log',
    {
      machine: sql`coalesce(${subjectNameOf}, ${posNameOf})`,
      alarm: alarmCodeOf,
      command: commandTypeOf,
      merchant: sql`m.name`,
      before: sql`(${factsTold('before', false)})::text`,
      after: sql`(${factsTold('after', false)})::text`,
      who: userNameOf(false),
    },
    'c',
  ),
  open: async (db, { filter, ordType }) => {
    const direction = sql.raw(ordType === 'ASC' ? 'asc' : 'desc')
    const wanted = [db.narrow('change_log', 'c'), ...wantedOf(filter, false)]
    const rows = sql`from change_log c join merchants m on m.id = c.merchant_id where ${sql.join(wanted, sql` and `)}`
    return {
      select: (what, limit) => sql`select ${fieldsOf(what)} ${rows} order by c.at ${direction}, c.id ${direction}
        ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
      count: sql<{ n: number }>`select count(*)::bigint as n ${rows}`,
    }
  },
}
