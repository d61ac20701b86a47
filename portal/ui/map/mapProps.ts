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
  /** Where machines that stand at one place lead together. */
  placeOfMany: (points: readonly MapPoint[]) => Place
  height?: number
  /** What the map is called, where a page has several. */
  label?: string
  /** How far in it begins at most; a single machine is better seen from afar. */
  closest?: number
}

/** What somebody asked of the map: nearer to a place, one step in or out, or all machines. */
export type Wish = { longitude: number; latitude: number; zoom: number } | 'in' | 'out' | 'all'
