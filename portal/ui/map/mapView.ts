import type { Position } from 'geojson'
import { boundsOf, type MapView, pixelOf, seenBy } from '#domain/machines/map-view.ts'
import type { Countries } from './flatMap.ts'

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
