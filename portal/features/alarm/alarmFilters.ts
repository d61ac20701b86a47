import { alarmCategories, alarmCriticities, alarmSources, alarmStatuses } from '#contract/vocabulary/alarm.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import type { Filter, Option, View } from '../../ui/list/types.ts'

/** Statuses that still want somebody. */
export const openStatuses = ['active', 'notification'] as const
export const closedStatuses = ['repaired', 'repairedManually'] as const

export const isOpen = ({ status }: { status: string }) => (openStatuses as readonly string[]).includes(status)

const blocking = String(alarmCriticities.blocking)

type Translate = (key: string) => string
const optionsOf = (values: readonly string[], labelOf: (value: string) => string): Option[] =>
  values.map((value) => ({ value, label: labelOf(value) }))

/** What alarms can be found by; open ones are shown first. */
export const alarmFilters = (t: Translate, groups: readonly Option[], isOfMachine = false): Filter[] => [
  { key: 'search', kind: 'text', name: t(isOfMachine ? 'alarm:filter.searchHere' : 'alarm:filter.search') },
  {
    key: 'statuses',
    kind: 'multi',
    name: t('alarm:column.status'),
    values: alarmStatuses,
    options: optionsOf(alarmStatuses, (value) => t(`vocabulary:alarmStatus.${value}`)),
    initially: openStatuses,
  },
  {
    key: 'criticities',
    kind: 'multi',
    name: t('alarm:column.criticity'),
    values: Object.values(alarmCriticities).map(String),
    options: Object.entries(alarmCriticities)
      .reverse()
      .map(([name, value]) => ({ value: String(value), label: t(`vocabulary:alarmCriticity.${name}`) })),
  },
  {
    key: 'categories',
    kind: 'multi',
    name: t('alarm:column.category'),
    values: alarmCategories,
    options: optionsOf(alarmCategories, (value) => t(`vocabulary:alarmCategory.${value}`)),
  },
  {
    key: 'sources',
    kind: 'multi',
    name: t('alarm:column.source'),
    values: alarmSources,
    options: optionsOf(alarmSources, (value) => t(`vocabulary:alarmSource.${value}`)),
  },
  ...(isOfMachine
    ? []
    : [
        {
          key: 'deviceTypes',
          kind: 'multi',
          name: t('alarm:fact.model'),
          values: deviceTypes,
          options: optionsOf(deviceTypes, (value) => deviceTypeNames[value as keyof typeof deviceTypeNames]),
        } as const,
      ]),
  ...(groups.length > 0
    ? [{ key: 'groupIds', kind: 'multi', name: t('alarm:column.group'), options: groups } as const]
    : []),
  { key: 'period', kind: 'period', name: t('alarm:filter.period') },
]

/** Ready choices above the list, with how many there are. */
export const alarmViews = (t: Translate, counts: { open?: number; blocking?: number }): View[] => [
  { id: 'open', name: t('alarm:view.open'), filters: { statuses: [...openStatuses] }, count: counts.open },
  {
    id: 'blocking',
    name: t('alarm:view.blocking'),
    filters: { statuses: [...openStatuses], criticities: [blocking] },
    count: counts.blocking,
  },
  { id: 'repaired', name: t('alarm:view.repaired'), filters: { statuses: [...closedStatuses] } },
]

/** An alarm in an address: its machine and its id. */
export const alarmKey = ({ posId, id }: { posId: string; id: string }) => `${posId}.${id}`
export function readAlarmKey(key: string | undefined): { posId: string; alarmId: string } | undefined {
  const [, posId, alarmId] = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/.exec(key ?? '') ?? []
  return posId && alarmId ? { posId, alarmId } : undefined
}
