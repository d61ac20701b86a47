import Supercluster from 'supercluster'
import type { MapPoint } from '#contract/machines/machine.ts'
import { posStatuses } from '#contract/vocabulary/device.ts'
import { posStatusLooks } from '../value/looks.ts'
import { worstFirst } from './mapProps.ts'

/** The highest zoom with clusters. */
export const maxZoom = 15

/** A little closer than the zoom at which a cluster splits, so that its parts do not touch. */
const nearer = 0.2

/** Maximum number of machines opened together from one place. */
const mostTogether = 200

type Leaf = { point: MapPoint; rank: number }
type Cluster = { rank: number }
export type Clusters = Supercluster<Leaf, Cluster>

/** Clusters of machines that would cover each other. */
export function clustersOf(points: readonly MapPoint[]): Clusters {
  const index: Clusters = new Supercluster<Leaf, Cluster>({
    radius: 46,
    maxZoom,
    map: ({ rank }) => ({ rank }),
    reduce: (all, { rank }) => {
      all.rank = Math.min(all.rank, rank)
    },
  })
  return index.load(
    points.map((point) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [point.longitude, point.latitude] },
      properties: { point, rank: worstFirst.indexOf(point.posStatus) },
    })),
  )
}

/** One button of a map: a machine, or a cluster of machines. */
export interface Spot {
  /** Equal for spots that look the same. */
  key: string
  longitude: number
  latitude: number
  count: number
  /** In pixels. */
  size: number
  /** The token of its colour, that of the worst machine. */
  tone: string
  /** The word of the worst machine's POS status, with its file. */
  word: string
  /** The machine, or the number of the cluster. */
  is: { point: MapPoint } | { cluster: number }
}

/** The spots within a box (west, south, east, north) at a zoom. */
export function spotsIn(clusters: Clusters, bounds: [number, number, number, number], zoom: number): Spot[] {
  return clusters.getClusters(bounds, Math.floor(zoom)).map(({ geometry, properties, id }) => {
    const [longitude = 0, latitude = 0] = geometry.coordinates
    const count = 'cluster' in properties ? properties.point_count : 1
    const { tone, word } = posStatusLooks[worstFirst[properties.rank] ?? posStatuses.correct]
    const is: Spot['is'] = 'cluster' in properties ? { cluster: id as number } : { point: (properties as Leaf).point }
    return {
      key: `${'point' in is ? is.point.id : `c${is.cluster}`} ${count} ${properties.rank}`,
      longitude,
      latitude,
      count,
      size: 'point' in is ? 18 : Math.round(26 + Math.min(30, Math.log2(count) * 5)),
      tone,
      word,
      is,
    }
  })
}

/** The machines of a cluster, and the zoom at which it splits, if any. */
export function insideOf(clusters: Clusters, cluster: number) {
  const zoom = clusters.getClusterExpansionZoom(cluster)
  return {
    zoom: zoom <= maxZoom ? zoom + nearer : undefined,
    points: clusters.getLeaves(cluster, mostTogether).map(({ properties }) => properties.point),
  }
}

/** The name of a spot. */
export function nameOf({ is, word, count }: Spot, t: (key: string, values: Record<string, unknown>) => string): string {
  const state = t(word, {})
  return 'point' in is ? `${is.point.name}: ${state}` : t('ui:map.cluster', { count, state })
}
