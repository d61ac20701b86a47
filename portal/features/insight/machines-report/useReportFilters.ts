import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { reportDimensions } from '#contract/insight/machines-report.ts'
import { warrantyStates } from '#contract/machines/machine.ts'
import { connections, deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { daysOffered } from '#portal/features/machines/machine/useMachineFilters.ts'
import { anyOf, oneOf } from '#portal/ui/list/filters/filters.ts'
import type { Filter } from '#portal/ui/list/types.ts'

/** The grouping and the filters of the report. */
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
