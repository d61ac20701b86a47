import { useElementSize } from '@mantine/hooks'
import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '#portal/app/go.ts'
import { InSlices } from '../page/InSlices.tsx'
import type { Countries } from './flatMap.ts'
import classes from './MachineMap.module.css'
import { type Clusters, clustersOf, nameOf, type Spot, spotsIn } from './mapClusters.ts'
import { type MapProps, mapFit } from './mapProps.ts'
import { boundsOf, landIn, type MapView, pixelOf, seenBy, viewOf } from './mapView.ts'
import { useLand } from './useLand.ts'

interface Props extends MapProps {
  /** Called when a cluster is chosen. */
  onCluster: (spot: Spot, clusters: Clusters) => void
}

/**
 * The map's first view as a drawing, without WebGL and the map's code, which load when the user interacts. It is also
 * the map in print.
 */
export default function MapStill({ points, placeOf, closest = mapFit.closest, label, onCluster }: Props) {
  const { t } = useTranslation(['ui', 'vocabulary'])
  const go = useGo()
  const { ref, width, height } = useElementSize()
  const clusters = useMemo(() => clustersOf(points), [points])
  const view = useMemo(
    () =>
      width > 0
        ? viewOf(boundsOf(points), { width, height }, { padding: mapFit.padding, maxZoom: closest })
        : undefined,
    [points, width, height, closest],
  )
  const world = useLand(view)
  const land = useMemo(() => (world ? slicesOf(world.features) : []), [world])
  const spots = useMemo(() => (view ? spotsIn(clusters, seenBy(view), view.zoom) : []), [clusters, view])
  return (
    <section ref={ref} className={classes.still} aria-label={label ?? t('map.name')}>
      <svg aria-hidden width={width} height={height}>
        {view && land.length > 0 && (
          <InSlices meanwhile={null}>
            {land.map((features, slice) => (
              // Slices without identity.
              <Land key={slice} view={view} features={features} />
            ))}
          </InSlices>
        )}
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

const perSlice = 100
const slicesOf = (features: Countries['features']) =>
  Array.from({ length: Math.ceil(features.length / perSlice) }, (_, slice) =>
    features.slice(slice * perSlice, (slice + 1) * perSlice),
  )

/** A part of the land. */
const Land = memo(function Land({ view, features }: { view: MapView; features: Countries['features'] }) {
  const path = landIn(view, features)
  return path && <path d={path} className={classes.land} />
})
