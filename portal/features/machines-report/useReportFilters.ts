import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { warrantyStates } from '#contract/machine.ts'
import { reportDimensions } from '#contract/machines-report.ts'
import { connections, deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { anyOf, oneOf } from '../../ui/list/filters.ts'
import type { Filter } from '../../ui/list/types.ts'
import { daysOffered } from '../machine/useMachineFilters.ts'

/** What the report is told apart and narrowed by. */
export function useReportFilters(): Filter[] {
  const { t } = useTranslation(['machines-report', 'machine-act', 'vocabulary'])
  return useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      oneOf('by', t('by.label'), reportDimensions, (value) => t(`by.${value}`)),
      { key: 'period', kind: 'period', name: t('filter.period'), initial: 'thisMonth' },
      oneOf('withoutDataDays', t('machine-act:filter.withoutData'), daysOffered, (count) =>
        t('machine-act:filter.days', { count }),
      ),
      anyOf('deviceTypes', t('column.deviceType'), deviceTypes, (value) => deviceTypeNames[value]),
      anyOf('connections', t('by.connection'), connections, (name) => t(`vocabulary:connection.${name}`)),
      anyOf('warranties', t('by.warranty'), warrantyStates, (value) => t(`vocabulary:warrantyState.${value}`)),
    ],
    [t],
  )
}
