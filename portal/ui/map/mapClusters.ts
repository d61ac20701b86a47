import type { MapPoint } from '#contract/machines/machine.ts'
import { type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import { type Cluster, cellsAt, joined, worstOf } from '#domain/machines/map-clusters.ts'
import { boundsOf, mapFit, viewOf } from '#domain/machines/map-view.ts'
import { posStatusLooks } from '../value/looks.ts'
import { isCluster, type MapSpot, type ShownArea } from './mapProps.ts'

/** Worst first: a cluster has the colour of its worst machine. */
export const worstFirst: readonly PosStatus[] = [posStatuses.critical, posStatuses.warning, posStatuses.correct]

/** The box around all spots. */
export const boxOfSpots = (spots: readonly MapSpot[]): [number, number, number, number] =>
  boundsOf(
    spots.flatMap((spot) =>
      isCluster(spot)
        ? [
            { longitude: spot.west, latitude: spot.south },
            { longitude: spot.east, latitude: spot.north },
          ]
        : [spot],
    ),
  )

const alone = (point: MapPoint): Cluster & { point: MapPoint } => ({
  count: 1,
  critical: Number(point.posStatus === posStatuses.critical),
  warning: Number(point.posStatus === posStatuses.warning),
  latitude: point.latitude,
  longitude: point.longitude,
  west: point.longitude,
  south: point.latitude,
  east: point.longitude,
  north: point.latitude,
  point,
})

/** The spots of a few machines that the page has already loaded. */
export function spotsOfPoints(points: readonly MapPoint[], area: ShownArea, closest = mapFit.closest): MapSpot[] {
  if (points.length === 0) return []
  const box = boundsOf(points)
  const zoom = 'zoom' in area ? area.zoom : viewOf(box, area, { padding: mapFit.padding, maxZoom: closest }).zoom
  return joined(
    points.map(alone),
    cellsAt('zoom' in area ? [area.west, area.south, area.east, area.north] : box, zoom),
  ).map((cluster) => ('point' in cluster ? cluster.point : { ...cluster, posStatus: worstOf(cluster) }))
}

/** How a spot appears. Spots with the same key look the same. */
export interface SpotLook {
  key: string
  /** In pixels. */
  size: number
  /** The token of its colour, that of the worst machine. */
  tone: string
  text: string
  /** The share of machines in trouble around a cluster, as a CSS image. */
  ring: string | undefined
}

export function lookOf(spot: MapSpot): SpotLook {
  const { tone } = posStatusLooks[spot.posStatus]
  if (!isCluster(spot))
    return {
      key: `${spot.id} ${spot.posStatus} ${spot.latitude} ${spot.longitude}`,
      size: 18,
      tone,
      text: '',
      ring: undefined,
    }
  const { count, critical, warning } = spot
  const turn = (machines: number) => `${((machines / count) * 100).toFixed(1)}%`
  return {
    key: `${spot.latitude.toFixed(4)} ${spot.longitude.toFixed(4)} ${count} ${critical} ${warning}`,
    size: Math.round(26 + Math.min(30, Math.log2(count) * 5)),
    tone,
    text: String(count),
    ring: `conic-gradient(var(--crit) ${turn(critical)}, var(--warn) 0 ${turn(critical + warning)}, var(--ok) 0)`,
  }
}

/** The name of a spot: a cluster names how many of its machines are in trouble. */
export function nameOf(spot: MapSpot, t: (key: string, values: Record<string, unknown>) => string): string {
  const wordOf = (status: PosStatus) => t(posStatusLooks[status].word, {})
  if (!isCluster(spot)) return `${spot.name}: ${wordOf(spot.posStatus)}`
  const { count, critical, warning } = spot
  const trouble = [[posStatuses.critical, critical] as const, [posStatuses.warning, warning] as const].flatMap(
    ([status, machines]) => (machines > 0 ? [`${wordOf(status)} ${machines}`] : []),
  )
  return [t('ui:map.cluster', { count, state: wordOf(spot.posStatus) }), ...trouble].join(', ')
}
