import { expect, test } from 'vitest'
import { boxOf, packed, unpacked } from '../../portal/ui/map/worldPieces.ts'
import { piecesOfWorld } from './world.ts'

test('every country is in one piece, and its borders keep their places to a kilometre', () => {
  const pieces = piecesOfWorld()
  expect(pieces.length).toBeGreaterThan(4)
  const land = pieces.flat()
  expect(land.length).toBeGreaterThan(1500)
  for (const rings of land) {
    const back = unpacked(packed(rings))
    expect(back).toHaveLength(rings.length)
    for (const [side, degrees] of boxOf(back).entries())
      expect(Math.abs(degrees - (boxOf(rings)[side] ?? 0))).toBeLessThanOrEqual(0.005 + 1e-9)
  }
})

test('a view of one country loads a part of the world', () => {
  const bytes = piecesOfWorld().map((piece) => JSON.stringify(piece.map(packed)).length)
  const all = bytes.reduce((sum, one) => sum + one, 0)
  expect(Math.max(...bytes)).toBeLessThan(all / 2)
})
