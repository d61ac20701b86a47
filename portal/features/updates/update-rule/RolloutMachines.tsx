import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Rollout, RolloutMachine } from '#contract/updates/rollout.ts'
import { rolloutMachineStates } from '#contract/updates/rollout-state.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { kinds } from './kinds.ts'
import { machineLooks } from './rolloutLooks.ts'

const order = { ord: 'state', ordType: 'ASC' } as const
const placeOf = ({ posId }: RolloutMachine) => ({ to: '/devices/$posId', params: { posId } })
const keyOf = ({ posId }: RolloutMachine) => posId

function Reason({ machine }: { machine: RolloutMachine }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const { reason, detail, progress, isAccepted } = machine
  const said = [
    progress
      ? t(`phase.${progress.phase}`, {
          percent: progress.percent === null ? '' : format.percent(progress.percent / 100),
        })
      : reason && t(`reason.${reason}`),
    detail,
    isAccepted && t('isAccepted'),
  ]
  return said.filter(Boolean).join(' · ')
}

const columns = ({ t }: Say): Column<RolloutMachine>[] => [
  {
    id: 'state',
    name: t('update-rule:column.state'),
    sort: true,
    card: 'badge',
    cell: ({ state }) => <StatusBadge of={machineLooks} value={state} />,
  },
  {
    id: 'posName',
    name: t('update-rule:column.machine'),
    sort: true,
    isFixed: true,
    card: 'title',
    cell: ({ posName }) => posName,
  },
  {
    id: 'serial',
    name: t('update-rule:column.serial'),
    isHidden: true,
    card: 'none',
    cell: ({ posSerial }) => posSerial,
  },
  {
    id: 'group',
    name: t('update-rule:column.group'),
    isHidden: true,
    card: 'none',
    cell: ({ groupName }) => groupName,
  },
  { id: 'reported', name: t('update-rule:column.reported'), card: 'line', cell: ({ reported }) => reported },
  { id: 'reason', name: t('update-rule:column.reason'), card: 'line', cell: (machine) => <Reason machine={machine} /> },
  {
    id: 'cohort',
    name: t('update-rule:column.cohort'),
    card: 'none',
    cell: ({ cohort }) => (cohort === null ? null : cohort + 1),
  },
  {
    id: 'watchUntil',
    name: t('update-rule:column.watchUntil'),
    card: 'none',
    cell: ({ watchUntil }) => <When at={watchUntil} as="minute" />,
  },
  {
    id: 'lastSeenAt',
    name: t('update-rule:column.lastSeen'),
    card: 'none',
    cell: ({ lastSeenAt }) => <When at={lastSeenAt} />,
  },
  {
    id: 'changedAt',
    name: t('update-rule:column.changed'),
    sort: true,
    card: 'aside',
    cell: ({ changedAt }) => <When at={changedAt} />,
  },
]

/** The machines of a rollout with their states and reasons, the worst first. */
export function RolloutMachines({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('update-rule')
  const { machines, param } = kinds[rollout.kind]
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.machine') },
      anyOf('states', t('column.state'), rolloutMachineStates, (state) => t(`machine.${state}`)),
    ],
    [t],
  )
  return (
    <ListScreen
      id="rolloutMachines"
      title={t('machines.title')}
      row={machines as typeof kinds.firmware.machines}
      // Cast: the name of the parameter belongs to the kind of the rule, which the compiler cannot follow.
      params={{ merchantId: rollout.merchantId, [param]: rollout.id } as never}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
      empty={{ title: t('machines.empty'), text: t('machines.emptyText') }}
      isEmbedded
    />
  )
}
