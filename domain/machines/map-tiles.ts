import { type MapView, worldWidth } from './map-view.ts'

/* Streets of maps: square pictures of the world in Web Mercator, at each zoom twice as many in a row (the common scheme of z, x and y). */

/** The closest zoom of common services. */
export const closestTiles = 19
/** The side of a tile in pixels. */
export const tileSize = 256

export interface MapTile {
  z: number
  x: number
  y: number
  /** Its corner and its side in the view, in pixels. */
  left: number
  top: number
  side: number
}

/** The tiles that a view shows, each drawn between two thirds and four thirds of its size. */
export function tilesIn(view: MapView): MapTile[] {
  const z = Math.max(0, Math.min(closestTiles, Math.round(view.zoom + Math.log2(worldWidth / tileSize))))
  const count = 2 ** z
  const side = (worldWidth * 2 ** view.zoom) / count
  const first = (middle: number, length: number) => Math.floor(middle * count - length / 2 / side)
  const last = (middle: number, length: number) => Math.ceil(middle * count + length / 2 / side) - 1
  const tiles: MapTile[] = []
  for (let y = Math.max(0, first(view.y, view.height)); y <= Math.min(count - 1, last(view.y, view.height)); y++)
    for (let x = first(view.x, view.width); x <= last(view.x, view.width); x++)
      tiles.push({
        z,
        // The world continues beyond the 180th meridian.
        x: ((x % count) + count) % count,
        y,
        left: (x - view.x * count) * side + view.width / 2,
        top: (y - view.y * count) * side + view.height / 2,
        side,
      })
  return tiles
}

/** The address of a tile by its pattern, such as `https://tiles.example.com/{z}/{x}/{y}.png`. */
export const addressOfTile = (pattern: string, { z, x, y }: Pick<MapTile, 'z' | 'x' | 'y'>): string =>
  pattern.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))

/** The origin of a pattern's tiles; undefined: it is no pattern, or not safe from eavesdropping. */
export function tileOriginOf(pattern: string): string | undefined {
  if (!['{z}', '{x}', '{y}'].every((name) => pattern.includes(name))) return undefined
  const { protocol, hostname, origin } = URL.parse(addressOfTile(pattern, { z: 0, x: 0, y: 0 })) ?? {}
  const isHere = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname ?? '')
  // A name in braces belongs into the path alone.
  return (protocol === 'https:' || isHere) && pattern.startsWith(`${origin}/`) ? origin : undefined
}
