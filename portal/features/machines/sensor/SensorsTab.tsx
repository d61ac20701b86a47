import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Sensor, sensorColumns, sensorOrds, sensors } from '#contract/machines/sensor.ts'
import { dirtinesses } from '#contract/vocabulary/machines/sensor.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf, type Search } from '#portal/app/search.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { sensorLooks } from './sensorLooks.ts'

const SensorDrawer = lazyPart(() => import('./SensorDrawer.tsx'))

const order = { ord: 'dirtiness', ordType: 'DESC' } as const
const keyOf = ({ submodule, name }: Sensor) => `${submodule} ${name}`
const toneOf = ({ dirtiness }: Sensor) => (dirtiness === 'critical' ? 'crit' : undefined)

const columnsOf = (timeZone: string) =>
  recordColumns<Sensor>(sensorColumns, sensorOrds, (say: Say) => ({
    aside: 'at',
    lines: ['submodule'],
    statuses: { dirtiness: sensorLooks },
    looks: {
      thresholds: { number: undefined, cell: (sensor) => thresholdsOf(sensor, say) },
      at: { cell: ({ at }) => <When at={at} timeZone={timeZone} /> },
    },
  }))

/** The values from which a sensor needs cleaning. */
function thresholdsOf({ warning, critical, valuesIncrease }: Sensor, { t, format }: Say): string {
  if (warning === null || critical === null) return t('sensor:noThreshold')
  return t(valuesIncrease ? 'sensor:from' : 'sensor:below', {
    warning: format.number(warning),
    critical: format.number(critical),
  })
}

/** The dirt levels of a machine's sensors, the dirtiest first. */
export default function SensorsTab() {
  const { t } = useTranslation('sensor')
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const columns = useMemo(() => columnsOf(merchant.timeZone), [merchant.timeZone])
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
    open: (target: Pick<Sensor, 'submodule' | 'name'>) =>
      change({ part: target.submodule, sensor: target.name }, false),
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
