import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { machineStates, machines, warrantyStates } from '#contract/machine.ts'
import { connections, deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { manyOf, type Search } from '../../app/search.ts'
import type { Filter } from '../../ui/list/types.ts'
import { useClientFilter } from '../client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '../group/useGroupOptions.ts'

/** Days that a machine may be without data before it counts as such. */
export const daysOffered = [1, 3, 7, 14, 30, 90]

/** What a list of machines is filtered by. Single machines, from a place of the map, can be taken away but not chosen here. */
export function useMachineFilters(): Filter[] {
  const { t } = useTranslation(['machine', 'machine-act', 'vocabulary'])
  const merchant = useMerchant()
  const groups = useGroupOptions()
  const search = useSearch({ strict: false }) as Search
  const isOfPlace = manyOf(search, 'ids').length > 0
  // Versions come with a link from the report; the list knows no others to offer.
  const asked = manyOf(search, 'firmwareVersions').join('\n')
  const versions = useMemo(() => (asked ? asked.split('\n') : []), [asked])
  const { data: points } = useQuery({
    ...queryOf(machines.mapMachines, { params: { merchantId: merchant.id } }),
    enabled: isOfPlace,
  })
  const client = useClientFilter()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('machine:filter.search') },
      {
        key: 'states',
        kind: 'multi',
        name: t('machine:filter.state'),
        values: machineStates,
        options: machineStates.map((value) => ({ value, label: t(`vocabulary:machineState.${value}`) })),
      },
      { key: 'groupIds', kind: 'multi', name: t('machine:filter.group'), options: groups },
      client,
      {
        key: 'deviceTypes',
        kind: 'multi',
        name: t('machine:filter.type'),
        values: deviceTypes,
        options: deviceTypes.map((value) => ({ value, label: deviceTypeNames[value] })),
      },
      {
        key: 'soldOut',
        kind: 'select',
        name: t('machine:filter.stock'),
        values: ['true', 'false'],
        options: [
          { value: 'true', label: t('machine:filter.soldOut') },
          { value: 'false', label: t('machine:filter.notSoldOut') },
        ],
      },
      {
        key: 'connections',
        kind: 'multi',
        name: t('machine:column.connection'),
        values: Object.values(connections).map(String),
        options: Object.entries(connections).map(([name, value]) => ({
          value: String(value),
          label: t(`vocabulary:connection.${name}`),
        })),
      },
      {
        key: 'withoutDataDays',
        kind: 'select',
        name: t('machine-act:filter.withoutData'),
        values: daysOffered.map(String),
        options: daysOffered.map((count) => ({ value: String(count), label: t('machine-act:filter.days', { count }) })),
      },
      ...(versions.length > 0
        ? [
            {
              key: 'firmwareVersions',
              kind: 'multi' as const,
              name: t('machine:column.firmware'),
              values: versions,
              options: versions.map((value) => ({ value, label: value })),
            },
          ]
        : []),
      {
        key: 'fullCashBox',
        kind: 'select',
        name: t('machine:filter.cashBox'),
        values: ['true', 'false'],
        options: [
          { value: 'true', label: t('machine:filter.cashBoxFull') },
          { value: 'false', label: t('machine:filter.cashBoxNotFull') },
        ],
      },
      {
        key: 'warranties',
        kind: 'multi',
        name: t('machine-act:filter.warranty'),
        values: warrantyStates,
        options: warrantyStates.map((value) => ({
          value,
          label: t(value === 'none' ? 'machine-act:filter.warrantyNone' : `machine:warranty.${value}`),
        })),
      },
      { key: 'warrantyRangeDate', kind: 'range', name: t('machine-act:filter.warrantyRange'), isAhead: true },
      { key: 'createdRangeDate', kind: 'range', name: t('machine-act:filter.created') },
      { key: 'lastUpdateRangeDate', kind: 'range', name: t('machine-act:filter.updated') },
      {
        key: 'hidden',
        kind: 'select',
        name: t('machine-act:filter.hidden'),
        values: ['only', 'all'],
        options: [
          { value: 'only', label: t('machine-act:filter.hiddenOnly') },
          { value: 'all', label: t('machine-act:filter.hiddenAll') },
        ],
      },
      ...(isOfPlace
        ? [
            {
              key: 'ids',
              kind: 'multi' as const,
              name: t('machine:filter.place'),
              options: points?.map(({ id, name }) => ({ value: id, label: name })),
            },
          ]
        : []),
    ],
    [t, groups, client, isOfPlace, points, versions],
  )
  return useGroupSearch(filters)
}
