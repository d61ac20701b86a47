import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Collection, cashCollections, collectionColumns, collectionOrds } from '#contract/cash/collection.ts'
import { collectionStatuses } from '#contract/vocabulary/cash.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyKnown, anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { useMachineFilter } from '#portal/ui/list/filters/useMachineFilter.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { BagFinder } from './BagFinder.tsx'
import { collectionLooks } from './collectionLooks.ts'
import { Difference } from './Difference.tsx'

const order = { ord: 'at', ordType: 'DESC' } as const
const placeOf = ({ id }: Collection): Place => ({
  to: '/devices/collections/$collectionId',
  params: { collectionId: id },
})
const toneOf = ({ status }: Collection) => (status === 'disputed' ? 'crit' : undefined)

const columns = recordColumns<Collection>(collectionColumns, collectionOrds, ({ t }: Say) => ({
  hidden: ['countSight', 'blindCounted', 'closedBy', 'deposit', 'note'],
  lines: ['bagNumber'],
  aside: 'at',
  statuses: { collectionStatus: collectionLooks },
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
      label: ({ posName, bagNumber }) => [posName, bagNumber].filter(Boolean).join(' '),
    },
    bagNumber: { cell: ({ bagNumber }) => bagNumber ?? '–' },
    audited: { cell: (row) => <AuditedAmount row={row} /> },
    transmitted: { cell: (row) => <TransmittedAmount row={row} /> },
    counted: {
      cell: ({ counted, currency }) =>
        counted === null ? (
          '–'
        ) : (
          <strong>
            <Amount minor={counted} currency={currency} />
          </strong>
        ),
    },
    difference: { cell: (row) => <Difference {...row} /> },
    deposit: { cell: ({ deposit }) => deposit?.reference ?? '–' },
    countSight: { cell: ({ countSight }) => countSight && t(`cash-collection:sight.${countSight}`) },
    countedBy: { cell: ({ countedAt, countedBy }) => countedAt && (countedBy ?? t('ui:provider')) },
    closedBy: { cell: ({ closedAt, closedBy }) => closedAt && (closedBy ?? t('ui:provider')) },
  },
}))

/** What the machine's audits say was in the box; approximate if they are not from the moment of the collection. */
function AuditedAmount({ row: { audited, isAuditExact, currency } }: { row: Collection }) {
  const { t } = useTranslation('cash-collection')
  if (audited === null) return '–'
  return (
    <span title={isAuditExact ? undefined : t('approximate')}>
      {!isAuditExact && '≈ '}
      <Amount minor={audited} currency={currency} isDimmed={!isAuditExact} />
    </span>
  )
}

/** The same from what the machine transmitted. */
function TransmittedAmount({ row: { transmitted, transmittedBasis, currency } }: { row: Collection }) {
  const { t } = useTranslation('cash-collection')
  if (transmitted === null || transmittedBasis === null) return '–'
  const isOfSales = transmittedBasis === 'sales'
  return (
    <span title={t(`basis.${transmittedBasis}`)}>
      {isOfSales && '≈ '}
      <Amount minor={transmitted} currency={currency} isDimmed={isOfSales} />
    </span>
  )
}

/** Cash boxes that were taken out of machines, with audited, transmitted and counted amounts. */
export default function CollectionListScreen() {
  const { t } = useTranslation(['cash-collection', 'vocabulary', 'ui'])
  const groups = useGroupOptions()
  const machine = useMachineFilter(t('cash-collection:column.machine'))
  const filters = useGroupSearch(
    useMemo(
      (): Filter[] => [
        { key: 'search', kind: 'text', name: t('cash-collection:filter.search') },
        { key: 'period', kind: 'period', name: t('cash-collection:filter.period') },
        anyOf('statuses', t('cash-collection:column.status'), collectionStatuses, (status) =>
          t(`vocabulary:collectionStatus.${status}`),
        ),
        machine,
        whether(
          'isDeposited',
          t('cash-collection:filter.deposit'),
          t('cash-collection:filter.deposited'),
          t('cash-collection:filter.notDeposited'),
        ),
        ...anyKnown('groupIds', t('cash-collection:filter.group'), groups),
      ],
      [t, machine, groups],
    ),
  )
  const views = useMemo(
    () =>
      (['open', 'disputed'] as const).map((status) => ({
        id: status,
        name: t(`vocabulary:collectionStatus.${status}`),
        filters: { statuses: [status] },
      })),
    [t],
  )
  return (
    <ListScreen
      id="cashCollections"
      exports="cashCollections"
      words="cash-collection"
      row={cashCollections.listCashCollections}
      columns={columns}
      filters={filters}
      order={order}
      views={views}
      placeOf={placeOf}
      toneOf={toneOf}
      actions={<BagFinder />}
    >
      {(filter) => <Sums filter={filter} />}
    </ListScreen>
  )
}

/** What was counted of the collections below, and what the next ones will bring. */
function Sums({ filter }: { filter: Record<string, unknown> }) {
  const { t } = useTranslation('cash-collection')
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const { data } = useQuery(
    queryOf(cashCollections.listCashCollections, { params: { merchantId }, query: { ...filter, page: 1, size: 1 } }),
  )
  // As high as its content, before that is there.
  const height = 96
  if (!data) return <Box mih={height} mb="sm" aria-busy="true" />
  const { sums, inBoxes } = data
  const open = sums.reduce((total, one) => total + one.open, 0)
  const machines = inBoxes.reduce((total, one) => total + one.machines, 0)
  const amounts = (rows: readonly { currency: Collection['currency']; value: number }[]) =>
    rows.length === 0
      ? '–'
      : rows.map(({ currency, value }) => (
          <Text key={currency} span display="block">
            <Amount minor={value} currency={currency} />
          </Text>
        ))
  return (
    <Box mih={height} mb="sm">
      <StatCards>
        <StatCard label={t('sum.open')} value={format.number(open)} note={t('sum.openNote')} />
        <StatCard
          label={t('sum.counted')}
          value={amounts(sums.map(({ currency, counted: value }) => ({ currency, value })))}
          note={t('sum.countedNote')}
        />
        <StatCard
          label={t('sum.inBoxes')}
          value={amounts(inBoxes)}
          note={t('sum.inBoxesNote', { count: machines, number: format.number(machines) })}
          place={{ to: '/devices/list', search: { ord: 'cashInBox', ordType: 'DESC' } }}
        />
      </StatCards>
    </Box>
  )
}
