import type { Position } from 'geojson'
import type { Countries } from './flatMap.ts'

/** West, south, east, north, in degrees. */
export type Bounds = readonly [number, number, number, number]

/**
 * The view of a map: its size in pixels, its centre (in the unit square of Web Mercator), and its zoom in MapLibre's
 * scale.
 */
export interface MapView {
  width: number
  height: number
  x: number
  y: number
  zoom: number
}

/** The world's width in pixels at zoom 0. */
const tile = 512
/** Beyond this latitude Web Mercator ends. */
const edge = 85.051129

const xOf = (longitude: number) => (longitude + 180) / 360
function yOf(latitude: number) {
  const sine = Math.sin((Math.max(-edge, Math.min(edge, latitude)) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}
const latitudeOf = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI

/** The smallest box around the points. */
export function boundsOf(points: readonly { latitude: number; longitude: number }[]): [number, number, number, number] {
  const longitudes = points.map(({ longitude }) => longitude)
  const latitudes = points.map(({ latitude }) => latitude)
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
}

/**
 * The closest view that contains a box, with a margin in pixels: the same as MapLibre's, so that one map can replace
 * the other.
 */
export function viewOf(
  [west, south, east, north]: Bounds,
  { width, height }: { width: number; height: number },
  { padding, maxZoom }: { padding: number; maxZoom: number },
): MapView {
  const left = xOf(west)
  const right = xOf(east)
  const top = yOf(north)
  const bottom = yOf(south)
  const room = (pixels: number) => Math.max(1, pixels - 2 * padding)
  const scale = Math.min(room(width) / (right - left), room(height) / (bottom - top))
  const zoom = Math.min(maxZoom, Math.log2(scale / tile))
  return { width, height, x: (left + right) / 2, y: (top + bottom) / 2, zoom }
}

/** The position of a place in the view, in pixels from its left and top. */
export function pixelOf(view: MapView, longitude: number, latitude: number): [number, number] {
  const world = tile * 2 ** view.zoom
  return [(xOf(longitude) - view.x) * world + view.width / 2, (yOf(latitude) - view.y) * world + view.height / 2]
}

/** The box of the world that a view shows. */
export function seenBy(view: MapView): [number, number, number, number] {
  const world = tile * 2 ** view.zoom
  const halfX = view.width / 2 / world
  const halfY = view.height / 2 / world
  return [
    (view.x - halfX) * 360 - 180,
    latitudeOf(view.y + halfY),
    (view.x + halfX) * 360 - 180,
    latitudeOf(view.y - halfY),
  ]
}

/** Points closer to each other than this, in pixels, are merged. */
const leastDistance = 0.6

function ringOf(view: MapView, ring: readonly Position[], shift: number): string {
  let path = ''
  let lastX = Number.NaN
  let lastY = Number.NaN
  for (const [longitude = 0, latitude = 0] of ring) {
    const [x, y] = pixelOf(view, longitude + shift, latitude)
    if (Math.abs(x - lastX) < leastDistance && Math.abs(y - lastY) < leastDistance) continue
    path += `${path ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
    ;[lastX, lastY] = [x, y]
  }
  return path && `${path}Z`
}

/** The land in view as a path; it continues beyond the 180th meridian. */
export function landIn(view: MapView, features: Countries['features']): string {
  const [west, south, east, north] = seenBy(view)
  let path = ''
  for (const { geometry } of features) {
    const [outer = []] = geometry.coordinates
    const [left, bottom, right, top] = boundsOf(outer.map(([longitude = 0, latitude = 0]) => ({ longitude, latitude })))
    if (top < south || bottom > north) continue
    for (const shift of [-360, 0, 360]) {
      if (left + shift > east || right + shift < west) continue
      for (const ring of geometry.coordinates) path += ringOf(view, ring, shift)
    }
  }
  return path
}
