import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type SensorThreshold,
  sensorThresholdColumns,
  sensorThresholdOrds,
  sensorThresholds,
} from '#contract/machines/sensor-threshold.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { useThresholdEdit } from './useThresholdEdit.ts'

const order = { ord: 'submodule', ordType: 'ASC' } as const
const keyOf = ({ submodule, name }: SensorThreshold) => `${submodule} ${name}`

const columns = recordColumns<SensorThreshold>(sensorThresholdColumns, sensorThresholdOrds, ({ t, format }: Say) => {
  const limit = (value: number | null) => (value === null ? t('sensor:noThreshold') : format.number(value))
  return {
    lines: ['submodule'],
    looks: {
      valuesIncrease: { cell: ({ valuesIncrease }) => t(valuesIncrease ? 'sensor:grows' : 'sensor:falls') },
      warning: { cell: ({ warning }) => limit(warning) },
      critical: { cell: ({ critical }) => limit(critical) },
    },
  }
})

/** The thresholds from which sensors need cleaning, for all merchants. */
export default function ThresholdsScreen() {
  const { t } = useTranslation('sensor')
  const edit = useThresholdEdit()
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
