import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { machineStates, machines } from '#contract/machine.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { manyOf, type Search } from '../../app/search.ts'
import type { Filter } from '../../ui/list/types.ts'
import { useGroupOptions } from '../group/useGroupOptions.ts'

/** What a list of machines is filtered by. Single machines, from a place of the map, can be taken away but not chosen here. */
export function useMachineFilters(): Filter[] {
  const { t } = useTranslation(['machine', 'vocabulary'])
  const merchant = useMerchant()
  const groups = useGroupOptions()
  const isOfPlace = manyOf(useSearch({ strict: false }) as Search, 'ids').length > 0
  const { data: points } = useQuery({
    ...queryOf(machines.mapMachines, { params: { merchantId: merchant.id } }),
    enabled: isOfPlace,
  })
  return useMemo(
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
      {
        key: 'deviceTypes',
        kind: 'multi',
        name: t('machine:filter.type'),
        values: deviceTypes,
        options: deviceTypes.map((value) => ({ value, label: deviceTypeNames[value] })),
      },
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
    [t, groups, isOfPlace, points],
  )
}
