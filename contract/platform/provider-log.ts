import type { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import type { ListColumns } from '../frame/list-columns.ts'
import { paged, pageOf } from '../frame/shapes.ts'
import { ChangeLogChoices, ChangeLogEntry, ChangeLogFilters, changeLogOrds } from './change-log.ts'

/** A change that belongs to no merchant. Days and times are in UTC. */
export const ProviderChange = ChangeLogEntry.omit({
  merchantId: true,
  merchantName: true,
  timeZone: true,
  currency: true,
  alarmCode: true,
  commandType: true,
  posId: true,
  posName: true,
})
export type ProviderChange = z.infer<typeof ProviderChange>

/** Changes by the provider's users to the whole platform, or to themselves. */
export const providerLog = {
  listProviderLog: endpoint({
    method: 'GET',
    path: '/admin/change-log',
    summary: 'List platform-wide changes, newest first',
    needs: 'providerLog.read',
    query: ChangeLogFilters.extend(paged(changeLogOrds)),
    ok: pageOf(ProviderChange),
    fails: ['PeriodReversed'],
  }),
  getProviderLogChoices: endpoint({
    method: 'GET',
    path: '/admin/change-log/choices',
    summary: 'List the users, actions and object types of the platform audit log',
    needs: 'providerLog.read',
    ok: ChangeLogChoices,
  }),
  getProviderChange: endpoint({
    method: 'GET',
    path: '/admin/change-log/{changeId}',
    summary: 'Get a platform-wide change',
    needs: 'providerLog.read',
    ok: ProviderChange,
    fails: ['NotFound'],
  }),
}

export const providerLogColumns = {
  action: { kind: 'word', heading: 'change-log:column.action', of: 'changeAction' },
  subject: {
    heading: 'change-log:column.subject',
    facts: {
      subjectType: { kind: 'word', heading: 'change-log:filter.subjectType', of: 'changeSubject' },
      subjectId: { kind: 'text', heading: 'change-log:filter.subjectId' },
    },
  },
  changes: {
    heading: 'change-log:column.changes',
    facts: {
      before: { kind: 'text', heading: 'change-log:heading.before' },
      after: { kind: 'text', heading: 'change-log:heading.after' },
    },
  },
  who: { kind: 'person', heading: 'change-log:column.who', field: 'userName' },
  at: { kind: 'instant', heading: 'change-log:column.at' },
} as const satisfies ListColumns

/** The same for every merchant in the path. */
export const exportedProviderLog = {
  row: providerLog.listProviderLog,
  filters: ChangeLogFilters,
  ords: changeLogOrds,
  columns: providerLogColumns,
} as const satisfies ExportedList
