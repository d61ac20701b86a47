import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  mostComparedDays,
  type ReconciledDay,
  type ReconciledDayFilters,
  reconciliations,
} from '#contract/audits/reconciliation.ts'
import { dayAgreements } from '#contract/vocabulary/audit.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyKnown, anyOf } from '#portal/ui/list/filters/filters.ts'
import { useMachineFilter } from '#portal/ui/list/filters/useMachineFilter.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import type { Place } from '../../../../app/place.ts'
import { columnsOf } from './dayColumns.tsx'

const ofAll = columnsOf(false)
const ofMachine = columnsOf(true)
/** The days that differ are first, those with the largest differences before. */
const order = { ord: 'state', ordType: 'ASC' } as const
const keyOf = ({ posId, day }: ReconciledDay) => `${posId} ${day}`
const toneOf = ({ state }: ReconciledDay) => (state === 'differs' ? 'crit' : undefined)

/** The audit of the day; without one, the transactions of the day. */
function placeOf({ posId, day, auditId, spannedBy }: ReconciledDay): Place {
  const audit = auditId ?? spannedBy?.auditId
  const place = { params: { posId } }
  return audit
    ? { ...place, to: '/devices/$posId/audits', search: { audit, part: 'compared' } }
    : { ...place, to: '/devices/$posId/transactions', search: { startDate: day, endDate: day } }
}

/** Says that more days match than are compared for totals and orders by figures; a filter by match compares them all. */
function ManyDays({ filter }: { filter: Record<string, unknown> }) {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const { data } = useQuery(
    queryOf(reconciliations.totalReconciledDays, { params: { merchantId }, query: filter as ReconciledDayFilters }),
  )
  if (data !== null) return null
  const isFiltered = Array.isArray(filter.states) && filter.states.length > 0
  return (
    <Text role="status" c="dimmed" mb="sm">
      {t(isFiltered ? 'manyDaysMatched' : 'manyDays', { most: format.number(mostComparedDays) })}
    </Text>
  )
}

/** Machine by machine and day by day, or those of one machine: audited, transmitted and reported money. */
export function ReconciledDays({ posId }: { posId?: string }) {
  const { t } = useTranslation('reconciliation')
  const groups = useGroupOptions()
  const machine = useMachineFilter(t('column.machine'))
  const columns = posId === undefined ? ofAll : ofMachine
  const filters = useGroupSearch(
    useMemo((): Filter[] => {
      return [
        { key: 'period', kind: 'period', name: t('filter.period'), initial: 'last7Days' },
        anyOf('states', t('filter.state'), dayAgreements, (value) => t(`state.${value}`)),
        ...(posId ? [] : [...anyKnown('groupIds', t('filter.group'), groups), machine]),
      ]
    }, [t, groups, machine, posId]),
  )
  return (
    <ListScreen
      id={posId ? 'machineReconciledDays' : 'reconciledDays'}
      title={t('title')}
      isEmbedded={posId !== undefined}
      row={reconciliations.listReconciledDays}
      fixed={posId ? { posIds: [posId] } : undefined}
      columns={columns}
      filters={filters}
      views={
        posId
          ? undefined
          : [
              { id: 'differs', name: t('show.differs'), filters: { states: ['differs'] } },
              { id: 'notRead', name: t('show.notRead'), filters: { states: ['notRead'] } },
            ]
      }
      order={order}
      totalsRow={reconciliations.totalReconciledDays}
      keyOf={keyOf}
      toneOf={toneOf}
      placeOf={placeOf}
      exports="reconciledDays"
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    >
      {(filter) => <ManyDays filter={filter} />}
    </ListScreen>
  )
}
