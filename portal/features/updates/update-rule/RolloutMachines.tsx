import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ClientInput } from '#contract/frame/endpoint.ts'
import {
  type Rollout,
  type RolloutMachine,
  rolloutMachineColumns,
  rolloutMachineOrds,
} from '#contract/updates/rollout.ts'
import { rolloutMachineStates } from '#contract/updates/rollout-state.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { kinds } from './kinds.ts'
import { machineLooks } from './rolloutLooks.ts'

/** The rows of both kinds are alike, except for the name of a parameter. */
type FirmwareMachines = typeof kinds.firmware.machines

const order = { ord: 'state', ordType: 'ASC' } as const
const placeOf = ({ posId }: RolloutMachine) => ({ to: '/devices/$posId', params: { posId } })
const keyOf = ({ posId }: RolloutMachine) => posId

function Reason({ machine }: { machine: RolloutMachine }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const { reason, detail, progress, isAccepted } = machine
  const texts = [
    progress
      ? t(`phase.${progress.phase}`, {
          percent: progress.percent === null ? '' : format.percent(progress.percent / 100),
        })
      : reason && t(`reason.${reason}`),
    detail,
    isAccepted && t('isAccepted'),
  ]
  return texts.filter(Boolean).join(' · ')
}

const columns = recordColumns<RolloutMachine>(rolloutMachineColumns, rolloutMachineOrds, {
  title: 'posName',
  aside: 'changedAt',
  lines: ['reported', 'reason'],
  hidden: ['serial', 'group'],
  offCards: ['cohort', 'watchUntil', 'lastSeenAt'],
  statuses: { rolloutMachineState: machineLooks },
  looks: {
    reason: { cell: (machine) => <Reason machine={machine} /> },
    cohort: { cell: ({ cohort }) => (cohort === null ? null : cohort + 1) },
  },
})

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
      row={machines as FirmwareMachines}
      params={{ merchantId: rollout.merchantId, [param]: rollout.id } as ClientInput<FirmwareMachines>['params']}
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
