import { sql } from 'kysely'
import { alarmCodeOf, commandTypeOf, factsTold, posNameOf, userNameOf, wantedOf } from '../platform/change-log-list.ts'
import { type ExportSource, fieldsOf, homeOf } from './source.ts'

/** What was done to what; the same in both logs, of the change `c`. */
export const subjectColumns = {
  action: { action: { heading: 'change-log:column.action', kind: 'word', of: 'changeAction', sql: sql`c.action` } },
  subject: {
    subjectType: {
      heading: 'change-log:filter.subjectType',
      kind: 'word',
      of: 'changeSubject',
      sql: sql`c.subject_type`,
    },
    subjectId: { heading: 'change-log:filter.subjectId', kind: 'text', sql: sql`c.subject_id` },
  },
} as const satisfies Partial<ExportSource<'changeLog'>['columns']>

const subjectNameOf = sql`case when c.subject_type = 'machine' then (select s.name from machines s
  where s.merchant_id = c.merchant_id and s.id::text = c.subject_id) end`

/** Who changed what, by time. A file is passed on, so those whom merchants are not shown stand in none. */
export const changeLogSource: ExportSource<'changeLog'> = {
  ...homeOf('m'),
  columns: {
    ...subjectColumns,
    subject: {
      ...subjectColumns.subject,
      machine: {
        heading: 'change-log:subject.machine',
        kind: 'text',
        sql: sql`coalesce(${subjectNameOf}, ${posNameOf})`,
      },
      alarm: { heading: 'change-log:subject.alarm', kind: 'alarm', sql: alarmCodeOf },
      command: { heading: 'change-log:subject.remoteCommand', kind: 'word', of: 'commandType', sql: commandTypeOf },
    },
    merchant: { merchant: { heading: 'change-log:column.merchant', kind: 'text', sql: sql`m.name` } },
    changes: {
      before: { heading: 'change-log:heading.before', kind: 'text', sql: sql`(${factsTold('before', false)})::text` },
      after: { heading: 'change-log:heading.after', kind: 'text', sql: sql`(${factsTold('after', false)})::text` },
    },
    who: { who: { heading: 'change-log:column.who', kind: 'text', sql: userNameOf(false) } },
    at: { at: { heading: 'change-log:column.at', kind: 'instant', sql: sql`c.at` } },
  },
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
