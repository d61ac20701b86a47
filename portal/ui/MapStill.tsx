import { useElementSize } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countries } from './countries.ts'
import type { Countries } from './flatMap.ts'
import classes from './MachineMap.module.css'
import { type Clusters, clustersOf, nameOf, type Spot, spotsIn } from './mapClusters.ts'
import { type MapProps, mapFit } from './mapProps.ts'
import { boundsOf, landIn, pixelOf, seenBy, viewOf } from './mapView.ts'
import { useGo } from './PlaceLink.tsx'

interface Props extends MapProps {
  /** Somebody wants to go into it: a cluster was chosen. */
  onCluster: (spot: Spot, clusters: Clusters) => void
}

/**
 * The map as it first looks, as a drawing: without WebGL and without the map's code, which come once somebody turns to it. Who only
 * passes by has seen all there is, and who prints has it on paper.
 */
export default function MapStill({ points, placeOf, closest = mapFit.closest, label, onCluster }: Props) {
  const { t } = useTranslation(['ui', 'vocabulary'])
  const go = useGo()
  const { ref, width, height } = useElementSize()
  const [world, setWorld] = useState<Countries>()
  useEffect(() => {
    let isGone = false
    // Without countries the machines still stand where they are.
    countries().then(
      (found) => !isGone && setWorld(found),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  const clusters = useMemo(() => clustersOf(points), [points])
  const view = useMemo(
    () =>
      width > 0
        ? viewOf(boundsOf(points), { width, height }, { padding: mapFit.padding, maxZoom: closest })
        : undefined,
    [points, width, height, closest],
  )
  const land = useMemo(() => (world && view ? landIn(view, world) : ''), [world, view])
  const spots = useMemo(() => (view ? spotsIn(clusters, seenBy(view), view.zoom) : []), [clusters, view])
  return (
    <section ref={ref} className={classes.still} aria-label={label ?? t('map.name')}>
      <svg aria-hidden width={width} height={height}>
        <path d={land} className={classes.land} />
      </svg>
      {view &&
        spots.map((spot) => {
          const [left, top] = pixelOf(view, spot.longitude, spot.latitude)
          const name = nameOf(spot, (key, values) => t(key, values))
          const { is, size, tone, count } = spot
          return (
            <button
              key={spot.key}
              type="button"
              className={classes.marker}
              aria-label={name}
              title={name}
              style={{ left, top, width: size, height: size, '--tone': `var(--${tone})` } as React.CSSProperties}
              onClick={() => ('point' in is ? void go(placeOf(is.point)) : onCluster(spot, clusters))}
            >
              {'point' in is ? '' : count}
            </button>
          )
        })}
    </section>
  )
}
