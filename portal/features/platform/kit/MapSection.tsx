import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MapPoint } from '#contract/machines/machine.ts'
import { type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import { PointsMap } from '#portal/features/machines/machine/MachinesMap.tsx'
import { worstFirst } from '#portal/ui/map/mapClusters.ts'
import { Part } from './Part.tsx'

const pointAt = (posStatus: PosStatus, latitude: number, longitude: number): MapPoint => ({
  id: String(posStatus),
  merchantId: String(posStatus),
  name: `POS ${posStatus}`,
  state: posStatus === posStatuses.critical ? 'blocked' : posStatus === posStatuses.warning ? 'warning' : 'selling',
  posStatus,
  latitude,
  longitude,
})
const distantPoints = worstFirst.map((status, index) => pointAt(status, 41.9 + index, 12.5 - index * 1.5))
const together = worstFirst.map((status, index) => pointAt(status, 45.46 + index / 1000, 9.19))
const height = 240

/** Machines apart, a cluster in the colour of its worst machine, and an empty map. */
export function MapSection() {
  const { t } = useTranslation('kit')
  return (
    <SimpleGrid minColWidth="min(100%, 320px)" autoFlow="auto-fit" spacing="wide">
      <Part caption={t('map.points')}>
        <PointsMap points={distantPoints} height={height} label={t('map.points')} />
      </Part>
      <Part caption={t('map.cluster')}>
        <PointsMap points={together} height={height} closest={6} label={t('map.cluster')} />
      </Part>
      <Part caption={t('map.none')}>
        <PointsMap points={[]} height={height} />
      </Part>
    </SimpleGrid>
  )
}
