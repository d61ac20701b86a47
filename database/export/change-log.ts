import { sql } from 'kysely'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, fieldsOf, homeOf } from '../frame/export/source.ts'
import { hiddenFrom } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'
import {
  alarmCodeOf,
  commandTypeOf,
  conditionsOf,
  posNameOf,
  redactedFacts,
  userNameOf,
} from '../platform/change-log-list.ts'

const subjectNameOf = (db: TenantDb) => sql`case when c.subject_type = 'machine' then (select s.name from machines s
  where ${db.own('s')} and s.merchant_id = c.merchant_id and s.id::text = c.subject_id) end`

/** The change log, by time. Files may be passed on, so they never contain users that are hidden from merchants. */
export const changeLogSource: ExportSource<'changeLog'> = {
  ...homeOf('m'),
  columns: columnsOfTable(
    'changeLog',
    'change_log',
    {
      machine: sql`visible.machine`,
      alarm: sql`visible.alarm`,
      command: sql`visible.command`,
      merchant: sql`m.name`,
      before: sql`visible.before`,
      after: sql`visible.after`,
      who: sql`visible.who`,
    },
    'c',
  ),
  open: async (db, { filter, ordType }) => {
    const direction = sql.raw(ordType === 'ASC' ? 'asc' : 'desc')
    const hidden = await hiddenFrom(db, false)
    const conditions = [db.narrow('change_log', 'c'), ...conditionsOf(filter, hidden)]
    const visible = sql`(select coalesce(${subjectNameOf(db)}, ${posNameOf(db)}) as machine, ${alarmCodeOf(db)} as alarm,
      ${commandTypeOf(db)} as command, (${redactedFacts(db, 'before', false)})::text as before,
      (${redactedFacts(db, 'after', false)})::text as after, ${userNameOf(hidden)} as who)`
    const rows = sql`from change_log c join merchants m on m.id = c.merchant_id cross join lateral ${visible} visible where ${sql.join(conditions, sql` and `)}`
    return {
      order: sql`c.at ${direction}, c.id ${direction}`,
      select: (what, limit) => sql`select ${fieldsOf(what)} ${rows} order by c.at ${direction}, c.id ${direction}
        ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
      count: sql<{ n: number }>`select count(*)::bigint as n ${rows}`,
    }
  },
}
