import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, oneOrMany, optionalPeriod, paged, pageOf, Text } from '../frame/shapes.ts'

/** A record before or after a change, by field. */
const Facts = z.record(z.string(), z.json())

/**
 * A change. The action is `subject.verb`; `userId` is null where a machine or the system made it, and `userName` where it is hidden from
 * the reader. `subjectName` is the subject's name now; null where the subject is deleted or has no page.
 */
export const ChangeLogEntry = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: z.string(),
  at: Instant,
  userId: z.uuid().nullable(),
  userName: z.string().nullable(),
  action: z.string(),
  subjectType: z.string(),
  subjectId: z.string(),
  subjectName: z.string().nullable(),
  /** An alarm's code, or a command's type. */
  alarmCode: z.string().nullable(),
  commandType: z.int().nullable(),
  /** The machine of an alarm, a command, a note or a configuration; `posName` is null if the machine was deleted. */
  posId: z.uuid().nullable(),
  posName: z.string().nullable(),
  before: Facts.nullable(),
  after: Facts.nullable(),
})
export type ChangeLogEntry = z.infer<typeof ChangeLogEntry>

/** One change. `names`: the names of groups, clients and machines among its values, by id; of deleted ones, the last name. */
export const ChangeDetails = ChangeLogEntry.extend({ names: z.record(z.uuid(), z.string()) })
export type ChangeDetails = z.infer<typeof ChangeDetails>

const Word = Text.min(1).max(60)

export const ChangeLogFilters = z.strictObject({
  ...optionalPeriod,
  userIds: oneOrMany(ids.userId),
  subjectTypes: oneOrMany(Word),
  actions: oneOrMany(Word),
  subjectId: Text.trim().min(1).max(100).optional(),
})
export type ChangeLogFilters = z.infer<typeof ChangeLogFilters>

export const changeLogColumns = {
  action: { sort: false, kind: 'word', heading: 'change-log:column.action', of: 'changeAction' },
  subject: {
    sort: false,
    heading: 'change-log:column.subject',
    facts: {
      subjectType: { kind: 'word', heading: 'change-log:filter.subjectType', of: 'changeSubject' },
      subjectId: { kind: 'text', heading: 'change-log:filter.subjectId' },
      machine: { kind: 'text', heading: 'change-log:subject.machine' },
      alarm: { kind: 'alarm', heading: 'change-log:subject.alarm' },
      command: { kind: 'word', heading: 'change-log:subject.remoteCommand', of: 'commandType' },
    },
  },
  merchant: { sort: false, kind: 'text', heading: 'change-log:column.merchant' },
  changes: {
    sort: false,
    heading: 'change-log:column.changes',
    facts: {
      before: { kind: 'text', heading: 'change-log:heading.before' },
      after: { kind: 'text', heading: 'change-log:heading.after' },
    },
  },
  who: { sort: false, kind: 'person', heading: 'change-log:column.who', field: 'userName' },
  at: { kind: 'instant', heading: 'change-log:column.at' },
} as const satisfies ListColumns

export const changeLogOrds = ordsOf(changeLogColumns, 'at')

/** The values in the log that it can be filtered by. */
export const ChangeLogChoices = z.strictObject({
  people: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  subjectTypes: z.array(z.string()),
  actions: z.array(z.string()),
})
export type ChangeLogChoices = z.infer<typeof ChangeLogChoices>

export const changeLog = {
  listChangeLog: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/change-log',
    summary: 'List changes, newest first',
    needs: 'changeLog.read',
    query: ChangeLogFilters.extend({ ...paged(changeLogOrds), cursor: Text.max(200).optional() }),
    ok: pageOf(ChangeLogEntry).extend({ next: z.string().nullable(), previous: z.string().nullable() }),
    fails: ['PeriodReversed'],
  }),
  getChange: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/change-log/{changeId}',
    summary: 'Get a change',
    needs: 'changeLog.read',
    ok: ChangeDetails,
    fails: ['NotFound'],
  }),
  getChangeLogChoices: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/change-log/choices',
    summary: 'List the users, actions and object types of the audit log',
    needs: 'changeLog.read',
    ok: ChangeLogChoices,
  }),
}

/** The list as a file. */
export const exportedChangeLog = {
  row: changeLog.listChangeLog,
  filters: ChangeLogFilters,
  ords: changeLogOrds,
  columns: changeLogColumns,
} as const satisfies ExportedList
