import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { boundsOf, pixelOf, viewOf } from '#domain/machines/map-view.ts'
import { landIn } from '#portal/ui/map/mapView.ts'
import { StreetOwner, StreetTiles } from '#portal/ui/map/StreetTiles.tsx'
import { useLand } from '#portal/ui/map/useLand.ts'
import classes from './RouteMap.module.css'

export interface MapStop {
  posId: string
  posName: string
  latitude: number | null
  longitude: number | null
  /** Its number in the round; null: not chosen. */
  number: number | null
  tone: 'crit' | 'warn' | 'ok' | 'mute'
}

interface Props {
  stops: readonly MapStop[]
  height?: number
  /** Called when a stop is pressed. */
  choose?: (posId: string) => void
}

type PlacedStop = MapStop & { latitude: number; longitude: number }
const isPlaced = (stop: MapStop): stop is PlacedStop => stop.latitude !== null && stop.longitude !== null

/** A round as a drawing: its stops by number, joined in driving order, and the machines that are not chosen. */
export function RouteMap({ stops, height = 380, choose }: Props) {
  const { t } = useTranslation('round')
  const { ref, width } = useElementSize()
  const placed = useMemo(() => stops.filter(isPlaced), [stops])
  const view = useMemo(
    () =>
      width > 0 && placed.length > 0
        ? viewOf(boundsOf(placed), { width, height }, { padding: 36, maxZoom: 13 })
        : undefined,
    [placed, width, height],
  )
  const world = useLand(view)
  const land = useMemo(() => (view && world ? landIn(view, world.features) : ''), [view, world])
  if (placed.length === 0)
    return (
      <Text p="lg" c="dimmed">
        {t('map.none')}
      </Text>
    )
  const spotOf = ({ longitude, latitude }: PlacedStop) => (view ? pixelOf(view, longitude, latitude) : [0, 0])
  const route = placed.filter(({ number }) => number !== null).sort((a, b) => Number(a.number) - Number(b.number))
  return (
    <section ref={ref} className={classes.map} style={{ height }} aria-label={t('map.name')}>
      {view && (
        <>
          <svg aria-hidden width={width} height={height}>
            <path d={land} className={classes.land} />
            <StreetTiles view={view} />
            <polyline
              className={classes.route}
              points={route
                .map((stop) =>
                  spotOf(stop)
                    .map((pixel) => pixel.toFixed(1))
                    .join(' '),
                )
                .join(', ')}
            />
          </svg>
          {/* Chosen stops are drawn last, above the others. */}
          {placed
            .toSorted((a, b) => Number(a.number !== null) - Number(b.number !== null))
            .map((stop) => {
              const [left, top] = spotOf(stop)
              const name = stop.number === null ? stop.posName : `${stop.number}. ${stop.posName}`
              const look = {
                className: stop.number === null ? classes.dot : classes.stop,
                style: { left, top, '--tone': `var(--${stop.tone})` } as React.CSSProperties,
                title: name,
              }
              return choose ? (
                <button key={stop.posId} type="button" {...look} aria-label={name} onClick={() => choose(stop.posId)}>
                  {stop.number}
                </button>
              ) : (
                <span key={stop.posId} {...look}>
                  {stop.number}
                </span>
              )
            })}
          <StreetOwner />
        </>
      )}
    </section>
  )
}
