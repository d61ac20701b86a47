import type { Position } from 'geojson'

/** West, south, east, north, in degrees. */
export type Box = [number, number, number, number]

/** Steps per degree: a hundredth is about a kilometre. */
const steps = 100

/** A polygon as the steps from point to point, one row per ring. */
export type Packed = number[][]

/** The box around a polygon's outer ring. */
export function boxOf([outer = []]: readonly Position[][]): Box {
  const longitudes = outer.map(([longitude = 0]) => longitude)
  const latitudes = outer.map(([, latitude = 0]) => latitude)
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
}

/** Packs a polygon; points closer than a step become one. */
export const packed = (rings: readonly Position[][]): Packed =>
  rings.map((ring) => {
    const row: number[] = []
    let [x, y] = [0, 0]
    for (const [longitude = 0, latitude = 0] of ring) {
      const nextX = Math.round(longitude * steps)
      const nextY = Math.round(latitude * steps)
      if (row.length > 0 && nextX === x && nextY === y) continue
      row.push(nextX - x, nextY - y)
      ;[x, y] = [nextX, nextY]
    }
    return row
  })

/** The polygon of a packed one. */
export const unpacked = (rows: Packed): Position[][] =>
  rows.map((row) => {
    const ring: Position[] = []
    let [x, y] = [0, 0]
    for (let at = 0; at < row.length; at += 2) {
      x += row[at] ?? 0
      y += row[at + 1] ?? 0
      ring.push([x / steps, y / steps])
    }
    return ring
  })
