import { saleTerms } from '#contract/sales/terms.ts'
import { alarmCategories, alarmCriticities, alarmSources, alarmStatuses } from '#contract/vocabulary/alarm.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { anyKnown, anyOf, oneOf, whether } from '#portal/ui/list/filters/filters.ts'
import type { Filter, View } from '#portal/ui/list/types.ts'
import type { Option } from '../../../ui/value/option.ts'

/** Statuses that still need attention. */
export const openStatuses = ['active', 'notification'] as const
export const closedStatuses = ['repaired', 'repairedManually'] as const

export const isOpen = ({ status }: { status: string }) => (openStatuses as readonly string[]).includes(status)

/** Repaired by a user, whose name may be hidden from the reader. */
export const isByHand = ({ status }: { status: string }) => status === 'repairedManually'

const blocking = String(alarmCriticities.blocking)

type Translate = (key: string) => string

const worstFirst = Object.fromEntries(Object.entries(alarmCriticities).reverse())
/** A filter by any of the severities. */
export const criticityFilter = (t: Translate, name: string): Filter =>
  anyOf('criticities', name, worstFirst, (criticity) => t(`vocabulary:alarmCriticity.${criticity}`))
/** A filter by any of the alarm categories. */
export const categoryFilter = (t: Translate, name: string): Filter =>
  anyOf('categories', name, alarmCategories, (value) => t(`vocabulary:alarmCategory.${value}`))
/** A filter by any of the alarm sources. */
export const sourceFilter = (t: Translate, name: string): Filter =>
  anyOf('sources', name, alarmSources, (value) => t(`vocabulary:alarmSource.${value}`))

/** The filters of alarms; open alarms are shown first. */
export const alarmFilters = (
  t: Translate,
  groups: readonly Option[],
  isOfMachine = false,
  client?: Filter,
  linked: readonly Filter[] = [],
  /** The reader, whose own alarms a filter shows. */
  me?: string,
): Filter[] => [
  { key: 'search', kind: 'text', name: t(isOfMachine ? 'alarm:filter.searchHere' : 'alarm:filter.search') },
  {
    ...anyOf('statuses', t('alarm:column.status'), alarmStatuses, (value) => t(`vocabulary:alarmStatus.${value}`)),
    initially: openStatuses,
  },
  criticityFilter(t, t('alarm:column.criticity')),
  categoryFilter(t, t('alarm:column.category')),
  sourceFilter(t, t('alarm:column.source')),
  ...(isOfMachine ? [] : [anyOf('deviceTypes', t('alarm:fact.model'), deviceTypes, (value) => deviceTypeNames[value])]),
  ...linked,
  ...anyKnown('assigneeIds', t('alarm:care.assignee'), me ? [{ value: me, label: t('alarm:filter.me') }] : []),
  whether(
    'isAcknowledged',
    t('alarm:care.acknowledged'),
    t('alarm:filter.acknowledged'),
    t('alarm:filter.unacknowledged'),
  ),
  ...anyKnown('groupIds', t('alarm:column.group'), groups),
  // While clients load, an address may already contain one.
  ...(client && client.options?.length !== 0 ? [client] : []),
  ...(isOfMachine ? [] : [oneOf('terms', t('alarm:filter.terms'), saleTerms, (one) => t(`alarm:terms.${one}`))]),
  { key: 'period', kind: 'period', name: t('alarm:filter.period') },
]

/** Ready views above the list, with their numbers. */
export const alarmViews = (t: Translate, counts: { open?: number; blocking?: number }, me?: string): View[] => [
  { id: 'open', name: t('alarm:view.open'), filters: { statuses: [...openStatuses] }, count: counts.open },
  {
    id: 'blocking',
    name: t('alarm:view.blocking'),
    filters: { statuses: [...openStatuses], criticities: [blocking] },
    count: counts.blocking,
  },
  ...(me
    ? [{ id: 'mine', name: t('alarm:view.mine'), filters: { statuses: [...openStatuses], assigneeIds: [me] } }]
    : []),
  { id: 'repaired', name: t('alarm:view.repaired'), filters: { statuses: [...closedStatuses] } },
]

/** An alarm in an address: its machine and its id. */
export const alarmKey = ({ posId, id }: { posId: string; id: string }) => `${posId}.${id}`
export function readAlarmKey(key: string | undefined): { posId: string; alarmId: string } | undefined {
  const [, posId, alarmId] = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/.exec(key ?? '') ?? []
  return posId && alarmId ? { posId, alarmId } : undefined
}
