import type { UseQueryOptions } from '@tanstack/react-query'
import type { MapCluster, MapPoint } from '#contract/machines/machine.ts'
import type { RowKey } from '#portal/app/api.ts'
import type { ApiError } from '#portal/app/apiError.ts'
import type { Place } from '../../app/place.ts'

/** A button of a map: a machine, or several at one place. */
export type MapSpot = MapPoint | MapCluster
export const isCluster = (spot: MapSpot): spot is MapCluster => 'count' in spot

/** The size of a map that shows all machines, in pixels, or a box in degrees with a zoom. */
export type ShownArea =
  | { width: number; height: number }
  | { west: number; south: number; east: number; north: number; zoom: number }

type SpotsQuery = UseQueryOptions<MapSpot[], ApiError, MapSpot[], RowKey>

/** What a map shows: a few machines that the page has loaded, or the server's answers for an area and for the list of the worst. */
export type MapSource =
  | { points: readonly MapPoint[] }
  | { spotsIn: (area: ShownArea | undefined) => SpotsQuery; worst: () => SpotsQuery }

/** A route over a map: a line through its stops, each with its number. `tone` is a token of a colour. */
export interface MapRoute {
  id: string
  tone: string
  stops: readonly { number: number; name: string; latitude: number; longitude: number }[]
}

export interface MapProps {
  source: MapSource
  placeOf: (point: MapPoint) => Place
  /** Opens the machines of a cluster at one place. */
  openMany: (cluster: MapCluster) => void
  height?: number
  /** Drawn below the machines. */
  routes?: readonly MapRoute[]
  /** The map's name, for pages with several maps. */
  label?: string
  /** Maximum initial zoom: a single machine needs its surroundings. */
  closest?: number
}

/** The user's action on the map: zoom to a box, zoom one step in or out, or show all machines. */
export type MapAct = { box: [number, number, number, number] } | 'in' | 'out' | 'all'
