import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { warrantyStates } from '#contract/machine.ts'
import { reportDimensions } from '#contract/machines-report.ts'
import { connections, deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import type { Filter } from '../../ui/list/types.ts'
import { daysOffered } from '../machine/useMachineFilters.ts'

/** What the report is told apart and narrowed by. */
export function useReportFilters(): Filter[] {
  const { t } = useTranslation(['machines-report', 'machine-act', 'vocabulary'])
  return useMemo((): Filter[] => {
    return [
      { key: 'search', kind: 'text', name: t('filter.search') },
      {
        key: 'by',
        kind: 'select',
        name: t('by.label'),
        values: reportDimensions,
        options: reportDimensions.map((value) => ({ value, label: t(`by.${value}`) })),
      },
      { key: 'period', kind: 'period', name: t('filter.period'), initial: 'thisMonth' },
      {
        key: 'withoutDataDays',
        kind: 'select',
        name: t('machine-act:filter.withoutData'),
        values: daysOffered.map(String),
        options: daysOffered.map((count) => ({ value: String(count), label: t('machine-act:filter.days', { count }) })),
      },
      {
        key: 'deviceTypes',
        kind: 'multi',
        name: t('column.deviceType'),
        values: deviceTypes,
        options: deviceTypes.map((value) => ({ value, label: deviceTypeNames[value] })),
      },
      {
        key: 'connections',
        kind: 'multi',
        name: t('by.connection'),
        values: Object.values(connections).map(String),
        options: Object.entries(connections).map(([name, value]) => ({
          value: String(value),
          label: t(`vocabulary:connection.${name}`),
        })),
      },
      {
        key: 'warranties',
        kind: 'multi',
        name: t('by.warranty'),
        values: warrantyStates,
        options: warrantyStates.map((value) => ({ value, label: t(`vocabulary:warrantyState.${value}`) })),
      },
    ]
  }, [t])
}
