import { type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import { type Bounds, type Located, worldWidth, xOf, yOf } from './map-view.ts'

/** The closest grid: machines that share a cell of it are at one place. */
export const closestClusters = 18
/** Machines closer than this share a cell of the grid, in pixels. */
export const cellWidth = 64
/** Clusters closer than this would cover each other, in pixels. */
const apart = 46
/** Most cells from one side of a view to the other. */
const mostCells = 32

/** Machines that a map shows together. `latitude` and `longitude` are their middle, `critical` and `warning` how many are in trouble. */
export interface Cluster extends Located {
  count: number
  critical: number
  warning: number
  west: number
  south: number
  east: number
  north: number
}

/** The worst POS status of a cluster's machines. */
export const worstOf = ({ critical, warning }: Pick<Cluster, 'critical' | 'warning'>): PosStatus =>
  critical > 0 ? posStatuses.critical : warning > 0 ? posStatuses.warning : posStatuses.correct

/** Cells from one side of the world to the other, for a view of a box at a zoom. A wide box at a close zoom is seen from further away. */
export function cellsAt([west, , east]: Bounds, zoom: number): number {
  const cells = (worldWidth * 2 ** Math.max(0, Math.min(closestClusters, Math.floor(zoom)))) / cellWidth
  const share = Math.max(1e-9, Math.min(1, (east - west) / 360))
  return Math.max(1, Math.min(cells, mostCells / share))
}

/** The longitudes of a box, each part within −180 to 180: a box across the 180th meridian has two. */
export function partsOfBox([west, south, east, north]: Bounds): Bounds[] {
  if (east - west >= 360) return [[-180, south, 180, north]]
  const turn = Math.floor((west + 180) / 360) * 360
  const left = west - turn
  const right = (east < west ? east + 360 : east) - turn
  return right <= 180
    ? [[left, south, right, north]]
    : [
        [left, south, 180, north],
        [-180, south, right - 360, north],
      ]
}

/** Whether zooming in splits a cluster. */
export const canSplit = ({ west, south, east, north }: Pick<Cluster, 'west' | 'south' | 'east' | 'north'>): boolean =>
  Math.max(xOf(east) - xOf(west), yOf(south) - yOf(north)) * worldWidth * 2 ** closestClusters >= 2 * cellWidth

/** Joins clusters that would cover each other at a number of cells: the larger first, each with those around it. */
export function joined<C extends Cluster>(clusters: readonly C[], cells: number): (C | Cluster)[] {
  const pixels = cells * cellWidth
  const placed = clusters
    .map((cluster) => ({ cluster, x: xOf(cluster.longitude) * pixels, y: yOf(cluster.latitude) * pixels }))
    .sort((one, other) => other.cluster.count - one.cluster.count)
  const left = new Set(placed)
  return placed.flatMap((one) => {
    if (!left.delete(one)) return []
    const near = [...left].filter(({ x, y }) => Math.hypot(x - one.x, y - one.y) < apart)
    for (const other of near) left.delete(other)
    return [near.length === 0 ? one.cluster : together([one, ...near].map(({ cluster }) => cluster))]
  })
}

function together(clusters: readonly Cluster[]): Cluster {
  const sum = (of: (cluster: Cluster) => number) => clusters.reduce((total, cluster) => total + of(cluster), 0)
  const count = sum((cluster) => cluster.count)
  return {
    count,
    critical: sum(({ critical }) => critical),
    warning: sum(({ warning }) => warning),
    latitude: sum((cluster) => cluster.latitude * cluster.count) / count,
    longitude: sum((cluster) => cluster.longitude * cluster.count) / count,
    west: Math.min(...clusters.map(({ west }) => west)),
    south: Math.min(...clusters.map(({ south }) => south)),
    east: Math.max(...clusters.map(({ east }) => east)),
    north: Math.max(...clusters.map(({ north }) => north)),
  }
}
