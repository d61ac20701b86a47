/** West, south, east, north, in degrees. */
export type Bounds = readonly [number, number, number, number]

export interface Located {
  latitude: number
  longitude: number
}

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

/** The initial view of a map: the margin around all machines in pixels, and the maximum zoom. */
export const mapFit = { padding: 48, closest: 9 }

/** The world's width in pixels at zoom 0. */
export const worldWidth = 512
/** Beyond this latitude Web Mercator ends. */
const edge = 85.051129

export const xOf = (longitude: number) => (longitude + 180) / 360
export function yOf(latitude: number) {
  const sine = Math.sin((Math.max(-edge, Math.min(edge, latitude)) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}
const latitudeOf = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI

/** The smallest box around the points. */
export function boundsOf(points: readonly Located[]): [number, number, number, number] {
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
  const zoom = Math.min(maxZoom, Math.log2(scale / worldWidth))
  return { width, height, x: (left + right) / 2, y: (top + bottom) / 2, zoom }
}

/** The position of a place in the view, in pixels from its left and top. */
export function pixelOf(view: MapView, longitude: number, latitude: number): [number, number] {
  const world = worldWidth * 2 ** view.zoom
  return [(xOf(longitude) - view.x) * world + view.width / 2, (yOf(latitude) - view.y) * world + view.height / 2]
}

/** The box of the world that a view shows. */
export function seenBy(view: MapView): [number, number, number, number] {
  const world = worldWidth * 2 ** view.zoom
  const halfX = view.width / 2 / world
  const halfY = view.height / 2 / world
  return [
    (view.x - halfX) * 360 - 180,
    latitudeOf(view.y + halfY),
    (view.x + halfX) * 360 - 180,
    latitudeOf(view.y - halfY),
  ]
}
