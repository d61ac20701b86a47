import { useElementSize } from '@mantine/hooks'
import { memo, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapCluster } from '#contract/machines/machine.ts'
import { type MapView, mapFit, pixelOf, viewOf } from '#domain/machines/map-view.ts'
import { marksOfRoute } from '#domain/machines/route-marks.ts'
import { panelOfPlace, panelText } from '#portal/app/panel.ts'
import type { Place } from '#portal/app/place.ts'
import { InSlices } from '../page/InSlices.tsx'
import { useOpenPlace } from '../panel/useOpenPlace.ts'
import { ErrorState } from '../part/ErrorState.tsx'
import type { Countries } from './flatMap.ts'
import classes from './MachineMap.module.css'
import { boxOfSpots, lookOf, nameOf } from './mapClusters.ts'
import { isCluster, type MapProps, type MapRoute, type MapSpot, type ShownArea } from './mapProps.ts'
import { landIn } from './mapView.ts'
import { StreetOwner, StreetTiles } from './StreetTiles.tsx'
import { useLand } from './useLand.ts'
import { useSpots } from './useSpots.ts'

interface Props extends MapProps {
  /** Called when a cluster is chosen. */
  onCluster: (cluster: MapCluster) => void
  /** Called with what the drawing shows, if anything: the live map starts with the same. */
  onShown: (start: { area: ShownArea; spots: readonly MapSpot[] }) => void
}

/** In pixels: maps of nearly the same size show the same clusters. */
const sizeStep = 40
const stepped = (pixels: number) => Math.max(sizeStep, Math.round(pixels / sizeStep) * sizeStep)

/**
 * The map's first view as a drawing, without WebGL and the map's code, which load when the user interacts. It is also
 * the map in print.
 */
export default function MapStill({
  source,
  placeOf,
  routes = [],
  closest = mapFit.closest,
  label,
  onCluster,
  onShown,
}: Props) {
  const { t } = useTranslation(['ui', 'vocabulary'])
  const openPlace = useOpenPlace()
  const { ref, width, height } = useElementSize()
  const isMeasured = width > 0
  const mapWidth = stepped(width)
  const mapHeight = stepped(height)
  const { spots, error, retry } = useSpots(
    source,
    isMeasured ? { width: mapWidth, height: mapHeight } : undefined,
    closest,
  )
  useEffect(() => {
    if (isMeasured && spots && spots.length > 0) onShown({ area: { width: mapWidth, height: mapHeight }, spots })
  }, [isMeasured, mapWidth, mapHeight, spots, onShown])
  const view = useMemo(
    () =>
      width > 0 && spots && spots.length > 0
        ? viewOf(boxOfSpots(spots), { width, height }, { padding: mapFit.padding, maxZoom: closest })
        : undefined,
    [spots, width, height, closest],
  )
  const world = useLand(view)
  const land = useMemo(() => (world ? slicesOf(world.features) : []), [world])
  if (error && !spots) return <ErrorState isSmall error={error} retry={retry} />
  return (
    <section ref={ref} className={classes.still} aria-label={label ?? t('map.name')} aria-busy={!spots}>
      {spots?.length === 0 && <p className={classes.none}>{t('map.none')}</p>}
      <svg aria-hidden width={width} height={height}>
        {view && land.length > 0 && (
          <InSlices meanwhile={null}>
            {land.map((features, slice) => (
              // Slices without identity.
              <Land key={slice} view={view} features={features} />
            ))}
          </InSlices>
        )}
        {view && <StreetTiles view={view} />}
        {view &&
          routes.map(({ id, tone, stops }) => (
            <polyline
              key={id}
              className={classes.route}
              stroke={`var(--${tone})`}
              points={stops.map((stop) => pixelOf(view, stop.longitude, stop.latitude).join(' ')).join(', ')}
            />
          ))}
      </svg>
      {view &&
        spots?.map((spot) => {
          const [left, top] = pixelOf(view, spot.longitude, spot.latitude)
          const name = nameOf(spot, (key, values) => t(key, values))
          const { key, size, tone, text, ring } = lookOf(spot)
          const look = { left, top, width: size, height: size, '--tone': `var(--${tone})`, '--ring': ring }
          return (
            <button
              key={key}
              type="button"
              className={classes.marker}
              data-cluster={isCluster(spot) || undefined}
              data-panel={isCluster(spot) ? undefined : panelOf(placeOf(spot))}
              aria-label={name}
              title={name}
              style={look as React.CSSProperties}
              onClick={() => (isCluster(spot) ? onCluster(spot) : openPlace(placeOf(spot)))}
            >
              {text}
            </button>
          )
        })}
      {view &&
        routes.flatMap(({ id, tone, stops }) =>
          marksOfRoute(stops.map((stop) => drawnAt(stop, pixelOf(view, stop.longitude, stop.latitude)))).map(
            ({ x, y, text, name }) => (
              <span
                key={`${id} ${text}`}
                className={classes.stop}
                title={name}
                style={{ left: x, top: y, '--tone': `var(--${tone})` } as React.CSSProperties}
              >
                {text}
              </span>
            ),
          ),
        )}
      <StreetOwner />
    </section>
  )
}

const drawnAt = ({ number, name }: MapRoute['stops'][number], [x, y]: [number, number]) => ({ number, name, x, y })

const panelOf = (place: Place) => {
  const panel = panelOfPlace(place)
  return panel && panelText(panel)
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
