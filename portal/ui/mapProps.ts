import type { MachineState, MapPoint } from '#contract/machine.ts'
import type { Place } from './list/types.ts'

/** Worst first: a cluster has the colour of its worst machine. */
export const worstFirst: readonly MachineState[] = ['blocked', 'silent', 'warning', 'selling']
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
