import { expect, test } from 'vitest'
import { addressOfTile, tileOriginOf, tilesIn } from './map-tiles.ts'
import { pixelOf, viewOf } from './map-view.ts'

test('the tiles of a view cover it without gaps, and lie where their corners are', () => {
  const size = { width: 900, height: 500 }
  const view = viewOf([9, 45, 13, 46], size, { padding: 48, maxZoom: 9 })
  const tiles = tilesIn(view)
  expect(Math.min(...tiles.map(({ left }) => left))).toBeLessThanOrEqual(0)
  expect(Math.min(...tiles.map(({ top }) => top))).toBeLessThanOrEqual(0)
  expect(Math.max(...tiles.map(({ left, side }) => left + side))).toBeGreaterThanOrEqual(size.width)
  expect(Math.max(...tiles.map(({ top, side }) => top + side))).toBeGreaterThanOrEqual(size.height)
  expect(tiles.length).toBeLessThan(30)
  for (const { z, x, side, left } of tiles) {
    expect(pixelOf(view, (x / 2 ** z) * 360 - 180, 0)[0]).toBeCloseTo(left, 6)
    expect(side).toBeGreaterThan(256 * 0.7)
    expect(side).toBeLessThan(256 * 1.42)
  }
})

test('the world continues beyond the 180th meridian, and ends at its poles', () => {
  const tiles = tilesIn({ width: 2000, height: 1200, x: 0, y: 0.5, zoom: 0 })
  expect(tiles.every(({ x, y, z }) => x >= 0 && x < 2 ** z && y >= 0 && y < 2 ** z)).toBe(true)
  expect(tiles.some(({ left }) => left < 0)).toBe(true)
})

test('a pattern names z, x and y in the path of a safe address', () => {
  const pattern = 'https://tiles.example.com/osm/{z}/{x}/{y}.png?key=1'
  expect(tileOriginOf(pattern)).toBe('https://tiles.example.com')
  expect(addressOfTile(pattern, { z: 3, x: 4, y: 5 })).toBe('https://tiles.example.com/osm/3/4/5.png?key=1')
  expect(tileOriginOf('http://127.0.0.1:9000/{z}/{x}/{y}')).toBe('http://127.0.0.1:9000')
  for (const wrong of [
    'http://tiles.example.com/{z}/{x}/{y}.png',
    'https://tiles.example.com/{z}/{x}.png',
    'https://{z}.example.com/{x}/{y}.png',
    'tiles/{z}/{x}/{y}',
    'javascript:{z}{x}{y}',
  ])
    expect(tileOriginOf(wrong), wrong).toBeUndefined()
})
