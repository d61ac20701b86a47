import type { MapPoint } from '#contract/machines/machine.ts'
import { type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import type { Place } from '../../app/place.ts'

/** Worst first: a cluster has the colour of its worst machine. */
export const worstFirst: readonly PosStatus[] = [posStatuses.critical, posStatuses.warning, posStatuses.correct]

/** The initial view of a map: the margin around all machines in pixels, and the maximum zoom. */
export const mapFit = { padding: 48, closest: 9 }

export interface MapProps {
  points: readonly MapPoint[]
  placeOf: (point: MapPoint) => Place
  /** The link of a cluster of machines at one place. */
  placeOfMany: (points: readonly MapPoint[]) => Place
  height?: number
  /** The map's name, for pages with several maps. */
  label?: string
  /** Maximum initial zoom: a single machine needs its surroundings. */
  closest?: number
}

/** The user's action on the map: zoom to a place, zoom one step in or out, or show all machines. */
export type MapAct = { longitude: number; latitude: number; zoom: number } | 'in' | 'out' | 'all'
