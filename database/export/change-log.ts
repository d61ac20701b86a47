import { sql } from 'kysely'
import { hiddenFrom } from '../frame/name-told.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { alarmCodeOf, commandTypeOf, factsTold, posNameOf, userNameOf, wantedOf } from '../platform/change-log-list.ts'
import { columnsOfTable } from './columns.ts'
import { type ExportSource, fieldsOf, homeOf } from './source.ts'

const subjectNameOf = (db: TenantDb) => sql`case when c.subject_type = 'machine' then (select s.name from machines s
  where ${db.own('s')} and s.merchant_id = c.merchant_id and s.id::text = c.subject_id) end`

/** The change log, by time. Files may be passed on, so they never contain users that are hidden from merchants. */
export const changeLogSource: ExportSource<'changeLog'> = {
  ...homeOf('m'),
  columns: columnsOfTable(
    'changeLog',
    'change_log',
    {
      machine: sql`told.machine`,
      alarm: sql`told.alarm`,
      command: sql`told.command`,
      merchant: sql`m.name`,
      before: sql`told.before`,
      after: sql`told.after`,
      who: sql`told.who`,
    },
    'c',
  ),
  open: async (db, { filter, ordType }) => {
    const direction = sql.raw(ordType === 'ASC' ? 'asc' : 'desc')
    const hidden = await hiddenFrom(db, false)
    const wanted = [db.narrow('change_log', 'c'), ...wantedOf(filter, hidden)]
    const told = sql`(select coalesce(${subjectNameOf(db)}, ${posNameOf(db)}) as machine, ${alarmCodeOf(db)} as alarm,
      ${commandTypeOf(db)} as command, (${factsTold(db, 'before', false)})::text as before,
      (${factsTold(db, 'after', false)})::text as after, ${userNameOf(hidden)} as who)`
    const rows = sql`from change_log c join merchants m on m.id = c.merchant_id cross join lateral ${told} told where ${sql.join(wanted, sql` and `)}`
    return {
      select: (what, limit) => sql`select ${fieldsOf(what)} ${rows} order by c.at ${direction}, c.id ${direction}
        ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
      count: sql<{ n: number }>`select count(*)::bigint as n ${rows}`,
    }
  },
}
