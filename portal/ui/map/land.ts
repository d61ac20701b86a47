import { afar, pieces } from 'virtual:world'
import type { Countries } from './flatMap.ts'
import { type Box, unpacked } from './worldPieces.ts'

/** Below this zoom the world with fewer points looks the same. */
const near = 2.5

type Load = () => Promise<{ default: number[][][] }>
type Features = Countries['features']

const loaded = new Map<Load, Promise<Features>>()

function featuresOf(load: Load): Promise<Features> {
  const known = loaded.get(load)
  if (known) return known
  const features = load().then((module) =>
    module.default.map((rows) => ({
      type: 'Feature' as const,
      properties: null,
      geometry: { type: 'Polygon' as const, coordinates: unpacked(rows) },
    })),
  )
  loaded.set(load, features)
  // The next view tries again.
  features.catch(() => loaded.delete(load))
  return features
}

/** Whether two boxes meet, also beyond the 180th meridian. */
const meet = ([west, south, east, north]: Box, [left, bottom, right, top]: Box) =>
  bottom <= north && top >= south && [-360, 0, 360].some((shift) => left + shift <= east && right + shift >= west)

/**
 * The countries that a view needs, shipped with the portal: no tile server is used. Views with the same `key` show the same land, so that it is
 * loaded and drawn once.
 */
export function landFor(box: Box, zoom: number): { key: string; load: () => Promise<Countries> } {
  const seen = pieces.map((piece, at) => ({ ...piece, at })).filter((piece) => meet(box, piece.box))
  const loads = zoom < near ? [afar] : seen.map(({ load }) => load)
  return {
    key: zoom < near ? 'afar' : seen.map(({ at }) => at).join(' '),
    load: async () => ({
      type: 'FeatureCollection',
      features: (await Promise.all(loads.map(featuresOf))).flat(),
    }),
  }
}
