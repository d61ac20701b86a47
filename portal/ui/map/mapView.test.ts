import { expect, test } from 'vitest'
import { boundsOf, pixelOf, seenBy, viewOf } from '#domain/machines/map-view.ts'
import { partsOf } from './flatMap.ts'
import { landIn } from './mapView.ts'

const box = { width: 600, height: 400 }
const fit = { padding: 48, maxZoom: 9 }
const rome = { latitude: 41.9, longitude: 12.5 }
const milan = { latitude: 45.46, longitude: 9.19 }

test('all points are in the view, with the requested margin in pixels, and one side touches that margin', () => {
  const view = viewOf(boundsOf([rome, milan]), box, fit)
  const pixels = [rome, milan].map(({ longitude, latitude }) => pixelOf(view, longitude, latitude))
  for (const [x, y] of pixels) {
    expect(x).toBeGreaterThanOrEqual(48 - 1e-6)
    expect(x).toBeLessThanOrEqual(600 - 48 + 1e-6)
    expect(y).toBeGreaterThanOrEqual(48 - 1e-6)
    expect(y).toBeLessThanOrEqual(400 - 48 + 1e-6)
  }
  expect(Math.min(...pixels.map(([, y]) => y))).toBeCloseTo(48)
  expect(Math.max(...pixels.map(([, y]) => y))).toBeCloseTo(352)
})

test('a single machine is in the middle, at the maximum zoom', () => {
  const view = viewOf(boundsOf([rome]), box, { ...fit, maxZoom: 4.3 })
  expect(view.zoom).toBe(4.3)
  const [x, y] = pixelOf(view, rome.longitude, rome.latitude)
  expect([x, y]).toEqual([expect.closeTo(300), expect.closeTo(200)])
})

test('the box of a view contains its corners', () => {
  const view = viewOf(boundsOf([rome, milan]), box, fit)
  const [west, south, east, north] = seenBy(view)
  expect(pixelOf(view, west, north)).toEqual([expect.closeTo(0), expect.closeTo(0)])
  expect(pixelOf(view, east, south)).toEqual([expect.closeTo(600), expect.closeTo(400)])
})

const square = (west: number, south: number, size: number) => ({
  type: 'Feature' as const,
  properties: null,
  geometry: {
    type: 'Polygon' as const,
    coordinates: [
      [
        [west, south],
        [west + size, south],
        [west + size, south + size],
        [west, south + size],
        [west, south],
      ],
    ],
  },
})
const countries = (...squares: ReturnType<typeof square>[]) => partsOf({ type: 'FeatureCollection', features: squares })

test('only land in view is drawn', () => {
  const view = viewOf(boundsOf([rome, milan]), box, fit)
  expect(landIn(view, countries(square(100, 0, 10)).features)).toBe('')
  expect(landIn(view, countries(square(9, 41, 5), square(100, 0, 10)).features).match(/M/g)).toHaveLength(1)
})

test('the map continues beyond the 180th meridian', () => {
  const view = viewOf(boundsOf([{ latitude: -17, longitude: 178 }]), box, { ...fit, maxZoom: 4 })
  // Samoa, at 172 degrees west, is 10 degrees east of there.
  expect(landIn(view, countries(square(-173, -14, 2)).features)).not.toBe('')
})

test('points at the same pixel are merged', () => {
  const view = viewOf([-180, -80, 180, 80], box, fit)
  const fine = square(10, 10, 20)
  const [ring = []] = fine.geometry.coordinates
  ring.splice(1, 0, [10.001, 10], [10.002, 10], [10.003, 10])
  expect(landIn(view, countries(fine).features).match(/L/g)).toHaveLength(4)
})
