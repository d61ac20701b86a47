import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Sensor, sensors } from '#contract/sensor.ts'
import { dirtinesses } from '#contract/vocabulary/sensor.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { anyOf } from '../../ui/list/filters.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Column, Filter } from '../../ui/list/types.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'
import { sensorColumns } from './sensorColumns.ts'
import { sensorLooks } from './sensorLooks.ts'
import { useSensorWords } from './useSensorWords.ts'

const order = { ord: 'dirtiness', ordType: 'DESC' } as const
const keyOf = ({ submodule, name }: Sensor) => `${submodule} ${name}`
const toneOf = ({ dirtiness }: Sensor) => (dirtiness === 'critical' ? 'crit' : undefined)

/** How dirty a machine's sensors are, the dirtiest first. */
export default function SensorsTab() {
  const { t } = useTranslation('sensor')
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const columns = useSensorColumns()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      anyOf('dirtinesses', t('column.dirtiness'), dirtinesses, (value) => t(`state.${value}`)),
    ],
    [t],
  )
  return (
    <ListScreen
      id="sensors"
      isEmbedded
      title={t('title')}
      row={sensors.listSensors}
      params={{ merchantId: merchant.id, posId }}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      toneOf={toneOf}
      exports="sensors"
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  )
}

function useSensorColumns(): Column<Sensor>[] {
  const { t } = useTranslation('sensor')
  const wordOf = useSensorWords()
  const format = useFormat()
  const { timeZone } = useMerchant()
  return useMemo((): Column<Sensor>[] => {
    const thresholds = ({ warning, critical, valuesIncrease }: Sensor) =>
      warning === null || critical === null
        ? t('noThreshold')
        : t(valuesIncrease ? 'from' : 'below', { warning: format.number(warning), critical: format.number(critical) })
    return [
      ...sensorColumns(t, wordOf),
      {
        id: 'dirtiness',
        name: t('column.dirtiness'),
        sort: true,
        card: 'badge',
        cell: ({ dirtiness }) => <StatusBadge of={sensorLooks} value={dirtiness} />,
      },
      {
        id: 'value',
        name: t('column.value'),
        align: 'end',
        number: ({ value }) => value,
        cell: ({ value }) => format.number(value),
      },
      { id: 'thresholds', name: t('column.thresholds'), align: 'end', cell: thresholds },
      {
        id: 'at',
        name: t('column.at'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ at }) => <When at={at} timeZone={timeZone} />,
      },
    ]
  }, [t, wordOf, format, timeZone])
}
