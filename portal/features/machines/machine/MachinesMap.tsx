import type { ReactNode } from 'react'
import type { LiveHint } from '#contract/frame/live.ts'
import { type MapCluster, type MapPoint, machines } from '#contract/machines/machine.ts'
import { call, pagedQueryOf } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { isCluster, type MapRoute, type MapSource, type MapSpot } from '#portal/ui/map/mapProps.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { placeOfMachine, placeOfMachines } from './places.ts'

const MachineMap = lazyPart(
  async () => ({ default: (await import('#portal/ui/map/MachineMap.tsx')).MachineMap }),
  ['vocabulary', 'machine-map'],
)

interface Look {
  height: number
  /** Maximum initial zoom: a single machine needs its surroundings. */
  closest?: number
  label?: string
  /** Drawn below the machines. */
  routes?: readonly MapRoute[]
  /** Shown until the map has loaded. */
  waiting?: ReactNode
}

/** Some machines on a map, which the page has already loaded. */
export function PointsMap({ points, waiting, ...look }: Look & { points: readonly MapPoint[] }) {
  const go = useGo()
  return (
    <Part fallback={waiting}>
      <MachineMap
        source={{ points }}
        placeOf={placeOfMachine}
        openMany={() => void go(placeOfMachines(points))}
        {...look}
      />
    </Part>
  )
}

/** Most machines named in the list beside the map, and opened together from one place. */
const most = { listed: 100, opened: 200 }

/** How often live hints refresh a map at most. */
const liveEveryMs = 10_000

/** Whether a change can show on a map: where every spot is a machine, only a change of one of them, or of no machine in particular. */
const changesMap = ({ posIds }: LiveHint, spots: unknown): boolean =>
  posIds.length === 0 ||
  !Array.isArray(spots) ||
  spots.length === 0 ||
  (spots as MapSpot[]).some((spot) => isCluster(spot) || posIds.includes(spot.id))

/** The merchant's machines on a map, filtered if filters are given: the server sends the clusters of the shown area. */
export function MachinesMap({ filter, waiting, ...look }: Look & { filter?: Record<string, unknown> }) {
  const merchant = useMerchant()
  const go = useGo()
  const input = (query: object) => ({ params: { merchantId: merchant.id }, query: { ...filter, ...query } })
  const refreshed = (query: object, more: { isTouched?: typeof changesMap } = {}) => {
    const options = pagedQueryOf(machines.mapMachines, input(query))
    return { ...options, meta: { ...options.meta, liveEveryMs, ...more } }
  }
  const source: MapSource = {
    spotsIn: (area) => ({ ...refreshed(area ?? {}, { isTouched: changesMap }), enabled: area !== undefined }),
    worst: () => refreshed({ size: most.listed }),
  }
  const openMany = async ({ west, south, east, north }: MapCluster) => {
    const spots = await call(machines.mapMachines, input({ west, south, east, north, size: most.opened }))
    void go(placeOfMachines(spots.flatMap((spot) => (isCluster(spot) ? [] : [spot]))))
  }
  return (
    <Part fallback={waiting}>
      <MachineMap
        source={source}
        placeOf={placeOfMachine}
        openMany={(cluster) => void openMany(cluster).catch(toast.error)}
        {...look}
      />
    </Part>
  )
}
