import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { saleTerms } from '#contract/sales/terms.ts'
import { type VisitRow, visitColumns, visitLists, visitOrds } from '#contract/stock/visit-list.ts'
import type { Place } from '#portal/app/place.ts'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyKnown, oneOf, whether } from '#portal/ui/list/filters/filters.ts'
import { useMachineFilter } from '#portal/ui/list/filters/useMachineFilter.ts'
import { useTechnicianFilter } from '#portal/ui/list/filters/useTechnicianFilter.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'

const order = { ord: 'at', ordType: 'DESC' } as const
const placeOf = ({ posId }: VisitRow): Place => ({ to: '/devices/$posId', params: { posId } })

const columns = recordColumns<VisitRow>(visitColumns, visitOrds, ({ t }: Say) => ({
  hidden: ['bagNumber', 'counted', 'note'],
  lines: ['by'],
  aside: 'at',
  looks: {
    machine: {
      cell: ({ posName, posSerial }) => (
        <Stack component="span" gap={0} miw={0}>
          <strong>{posName}</strong>
          <Text span c="dimmed" fz="fine" fw={400} lh="fine">
            {posSerial}
          </Text>
        </Stack>
      ),
      label: ({ posName }) => posName,
    },
    cashTaken: { cell: ({ cashTaken }) => cashTaken && t('visits:filter.taken') },
    round: { cell: ({ roundName }) => roundName ?? t('visits:noRound') },
  },
}))

/** Visits at machines: what was loaded and thrown away, and what it cost. */
export default function VisitListScreen() {
  const { t } = useTranslation('visits')
  const groups = useGroupOptions()
  const machine = useMachineFilter(t('column.machine'))
  const client = useClientFilter('clientIds')
  const technicians = useTechnicianFilter('technicianIds', t('column.by'), t('one'))
  const filters = useGroupSearch(
    useMemo(
      (): Filter[] => [
        { key: 'search', kind: 'text', name: t('filter.search') },
        { key: 'period', kind: 'period', name: t('filter.period') },
        ...technicians,
        whether('hasWaste', t('column.waste'), t('filter.withWaste'), t('filter.withoutWaste')),
        whether('cashTaken', t('column.cashTaken'), t('filter.taken'), t('filter.notTaken')),
        machine,
        ...anyKnown('groupIds', t('filter.group'), groups),
        ...(client.options?.length !== 0 ? [client] : []),
        oneOf('terms', t('filter.terms'), saleTerms, (one) => t(`terms.${one}`)),
      ],
      [t, technicians, machine, groups, client],
    ),
  )
  return (
    <ListScreen
      id="visits"
      words="visits"
      row={visitLists.listVisits}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      exports="visits"
    />
  )
}
