import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Sensor, sensors } from '#contract/machines/sensor.ts'
import { dirtinesses } from '#contract/vocabulary/machines/sensor.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf, type Search } from '#portal/app/search.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Part } from '#portal/ui/page/lazyPart.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { sensorColumns } from './sensorColumns.ts'
import { sensorLooks } from './sensorLooks.ts'
import { useSensorWords } from './useSensorWords.ts'

const SensorDrawer = lazyPart(() => import('./SensorDrawer.tsx'))

const order = { ord: 'dirtiness', ordType: 'DESC' } as const
const keyOf = ({ submodule, name }: Sensor) => `${submodule} ${name}`
const toneOf = ({ dirtiness }: Sensor) => (dirtiness === 'critical' ? 'crit' : undefined)

/** The dirt levels of a machine's sensors, the dirtiest first. */
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
  const { sensor, open, close } = useOpenSensor()
  const params = { merchantId: merchant.id, posId }
  return (
    <>
      <ListScreen
        id="sensors"
        isEmbedded
        title={t('title')}
        row={sensors.listSensors}
        params={params}
        onOpen={open}
        columns={columns}
        filters={filters}
        order={order}
        keyOf={keyOf}
        toneOf={toneOf}
        exports="sensors"
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      {sensor && (
        <Part fallback={null}>
          <SensorDrawer params={params} sensor={sensor} close={close} />
        </Part>
      )}
    </>
  )
}

/** The open sensor is in the address, so that a link opens the same and Back closes it. */
function useOpenSensor() {
  const search = useAddressQuery()
  const go = useGo()
  const submodule = oneOf(search, 'part')
  const name = oneOf(search, 'sensor')
  const sensor = useMemo(() => (submodule && name ? { submodule, name } : undefined), [submodule, name])
  const change = (here: Search, replace: boolean) => void go({ here }, { replace, resetScroll: false })
  return {
    sensor,
    open: (chosen: Pick<Sensor, 'submodule' | 'name'>) =>
      change({ part: chosen.submodule, sensor: chosen.name }, false),
    close: () => change(closed, true),
  }
}

/** The open sensor and its chart, as the address names them. */
const closed = {
  part: undefined,
  sensor: undefined,
  span: undefined,
  period: undefined,
  startDate: undefined,
  endDate: undefined,
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
