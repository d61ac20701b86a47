import type { MapPoint } from '#contract/machines/machine.ts'
import { type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import type { Place } from '../list/types.ts'

/** Worst first: a cluster has the colour of its worst machine. */
export const worstFirst: readonly PosStatus[] = [posStatuses.critical, posStatuses.warning, posStatuses.correct]

/** How a map begins: so many pixels around all machines, and how far in at most. */
export const mapFit = { padding: 48, closest: 9 }

export interface MapProps {
  points: readonly MapPoint[]
  placeOf: (point: MapPoint) => Place
  /** Where a cluster of machines at one place leads. */
  placeOfMany: (points: readonly MapPoint[]) => Place
  height?: number
  /** What the map is called, where a page has several. */
  label?: string
  /** How far in it begins at most; a single machine is better seen from afar. */
  closest?: number
}

/** The user's action on the map: zoom to a place, zoom one step in or out, or show all machines. */
export type Wish = { longitude: number; latitude: number; zoom: number } | 'in' | 'out' | 'all'
