import type { FeatureCollection, Polygon, Position } from 'geojson'

export type Countries = FeatureCollection<Polygon>

/**
 * A ring that crosses the 180th meridian continues beyond it; the map shows that part on its other side. A ring around
 * a pole stays unchanged.
 */
export function unbroken(ring: Position[]): Position[] {
  let shift = 0
  let before = ring[0]?.[0] ?? 0
  const moved = ring.map(([longitude = 0, latitude = 0]) => {
    if (Math.abs(longitude - before) > 180) shift += longitude < before ? 360 : -360
    before = longitude
    return [longitude + shift, latitude]
  })
  return shift === 0 ? moved : ring
}

/** Countries as single polygons with rings that a flat map can fill. */
export const partsOf = ({ features }: FeatureCollection): Countries => ({
  type: 'FeatureCollection',
  features: features.flatMap(({ geometry }) => {
    const parts =
      geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : []
    return parts.map((rings) => ({
      type: 'Feature' as const,
      properties: null,
      geometry: { type: 'Polygon' as const, coordinates: rings.map(unbroken) },
    }))
  }),
})
