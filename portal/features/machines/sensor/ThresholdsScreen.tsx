import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type SensorThreshold, sensorThresholds } from '#contract/machines/sensor-threshold.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { sensorColumns } from './sensorColumns.ts'
import { useSensorWords } from './useSensorWords.ts'
import { useThresholdEdit } from './useThresholdEdit.ts'

const order = { ord: 'submodule', ordType: 'ASC' } as const
const keyOf = ({ submodule, name }: SensorThreshold) => `${submodule} ${name}`

/** The thresholds from which sensors need cleaning, for all merchants. */
export default function ThresholdsScreen() {
  const { t } = useTranslation('sensor')
  const format = useFormat()
  const wordOf = useSensorWords()
  const edit = useThresholdEdit()
  const columns = useMemo((): Column<SensorThreshold>[] => {
    const limit = (value: number | null) => (value === null ? t('noThreshold') : format.number(value))
    return [
      ...sensorColumns(t, wordOf),
      {
        id: 'valuesIncrease',
        name: t('column.dirt'),
        cell: ({ valuesIncrease }) => t(valuesIncrease ? 'grows' : 'falls'),
      },
      {
        id: 'warning',
        name: t('column.warning'),
        sort: true,
        align: 'end',
        number: ({ warning }) => warning,
        cell: ({ warning }) => limit(warning),
      },
      {
        id: 'critical',
        name: t('column.critical'),
        sort: true,
        align: 'end',
        number: ({ critical }) => critical,
        cell: ({ critical }) => limit(critical),
      },
    ]
  }, [t, format, wordOf])
  const filters = useMemo((): Filter[] => [{ key: 'search', kind: 'text', name: t('filter.search') }], [t])
  return (
    <ListScreen
      id="sensorThresholds"
      title={t('thresholds.title')}
      row={sensorThresholds.listSensorThresholds}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      edit={edit}
      exports="sensorThresholds"
      empty={{ title: t('empty.title'), text: t('thresholds.empty') }}
    />
  )
}
