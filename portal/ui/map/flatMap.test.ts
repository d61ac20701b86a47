import { expect, test } from 'vitest'
import { partsOf, unbroken } from './flatMap.ts'

test('a country on both sides of the 180th meridian continues beyond it, not across the whole map', () => {
  const chukotka = [
    [170, 65],
    [180, 66],
    [-170, 66],
    [-175, 63],
    [180, 62],
    [170, 65],
  ]
  expect(unbroken(chukotka).map(([longitude]) => longitude)).toEqual([170, 180, 190, 185, 180, 170])
})

test('a ring around a pole cannot be continued and stays unchanged', () => {
  const antarctica = [
    [-180, -80],
    [-60, -70],
    [60, -70],
    [180, -80],
    [-180, -80],
  ]
  expect(unbroken(antarctica)).toEqual(antarctica)
})

test('a ring away from the meridian stays unchanged', () => {
  const italy = [
    [7, 44],
    [18, 40],
    [12, 47],
    [7, 44],
  ]
  expect(unbroken(italy)).toEqual(italy)
})

test('each island is its own polygon', () => {
  const ring = [
    [0, 0],
    [1, 0],
    [0, 1],
    [0, 0],
  ]
  const islands = partsOf({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: {}, geometry: { type: 'MultiPolygon', coordinates: [[ring], [ring]] } },
      { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } },
    ],
  })
  expect(islands.features.map(({ geometry }) => geometry.type)).toEqual(['Polygon', 'Polygon', 'Polygon'])
})
