import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Plugin } from 'vite'
import { partsOf } from '../../portal/ui/map/flatMap.ts'
import { type Box, boxOf, packed } from '../../portal/ui/map/worldPieces.ts'

const name = 'virtual:world'
const resolved = `\0${name}`

/** The parts of the world that load apart: each piece of land belongs to the first with its middle. West, south, east, north, in degrees. */
const regions: Box[] = [
  [-30, 34, 40, 72],
  [-30, -40, 60, 34],
  [-180, 15, -30, 84],
  [-180, -60, -30, 15],
  [40, 5, 200, 84],
  [60, -60, 200, 5],
  [-180, -90, 200, 90],
]

const landOf = (file: string) => {
  const path = createRequire(import.meta.url).resolve(`world-atlas/${file}`)
  const world = JSON.parse(readFileSync(path, 'utf8')) as Topology<{ countries: GeometryCollection }>
  return partsOf(feature(world, world.objects.countries)).features.map(({ geometry }) => geometry.coordinates)
}

/** The land of each region. */
export function piecesOfWorld() {
  const pieces = regions.map((): number[][][][] => [])
  for (const rings of landOf('countries-50m.json')) {
    const [west, south, east, north] = boxOf(rings)
    const x = (west + east) / 2
    const y = (south + north) / 2
    const at = regions.findIndex(([w, s, e, n]) => x >= w && x < e && y >= s && y < n)
    pieces[at === -1 ? pieces.length - 1 : at]?.push(rings)
  }
  return pieces.filter((piece) => piece.length > 0)
}

/**
 * The countries as modules: `virtual:world` names the pieces with the boxes that they cover, each a file of its own, and the whole world with
 * fewer points for a view from afar.
 */
export function worldInPieces(): Plugin {
  let pieces: number[][][][][] | undefined
  return {
    name: 'world-in-pieces',
    resolveId: (id) => (id === name || id.startsWith(`${name}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(resolved)) return undefined
      pieces ??= piecesOfWorld()
      const dataOf = (land: readonly number[][][][]) =>
        `export default JSON.parse(${JSON.stringify(JSON.stringify(land.map(packed)))})`
      if (id === `${resolved}/afar`) return dataOf(landOf('countries-110m.json'))
      const at = id.slice(resolved.length + 1)
      if (at !== '') return dataOf(pieces[Number(at)] ?? [])
      const rows = pieces.map((piece, index) => {
        const boxes = piece.map(boxOf)
        const box = [0, 1, 2, 3].map((side) =>
          side < 2 ? Math.min(...boxes.map((one) => one[side] ?? 0)) : Math.max(...boxes.map((one) => one[side] ?? 0)),
        )
        return `{ box: ${JSON.stringify(box)}, load: () => import('${name}/${index}') }`
      })
      return `export const pieces = [${rows.join(', ')}]\nexport const afar = () => import('${name}/afar')`
    },
  }
}
