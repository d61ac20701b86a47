import { Box } from '@mantine/core'
import { use } from 'react'
import { kiosks } from '#contract/sales/kiosk.ts'
import MapStill from '#portal/ui/map/MapStill.tsx'
import type { MapSource } from '#portal/ui/map/mapProps.ts'
import { kioskQuery, SecretContext } from './useKiosk.ts'

const nothing = () => undefined

/** The map of machines on a wall: a drawing without buttons, since a display leads nowhere. */
export function KioskMap() {
  const secret = use(SecretContext)
  const source: MapSource = {
    spotsIn: (area) => ({ ...kioskQuery(kiosks.mapKiosk, secret, area ?? {}), enabled: area !== undefined }),
    worst: () => ({ ...kioskQuery(kiosks.mapKiosk, secret, {}), enabled: false }),
  }
  return (
    <Box pos="relative" h="100%" mih={320} bdrs="lg" bg="var(--sunken)" className="clips" inert>
      <MapStill
        source={source}
        placeOf={() => ({ to: '/kiosk' })}
        openMany={nothing}
        onCluster={nothing}
        onShown={nothing}
      />
    </Box>
  )
}
