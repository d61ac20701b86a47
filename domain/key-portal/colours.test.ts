import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrastOf } from '../frame/contrast.ts'
import { darkPage, enoughContrast, lightPage, portalColoursOf } from './colours.ts'

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('text is readable with every color of a merchant', () => {
  fc.assert(
    fc.property(colour, (brand) => {
      const { onBrand, onLight, onDark } = portalColoursOf(brand)
      expect(contrastOf(onBrand, brand)).toBeGreaterThanOrEqual(enoughContrast)
      expect(contrastOf(onLight, lightPage)).toBeGreaterThanOrEqual(enoughContrast)
      expect(contrastOf(onDark, darkPage)).toBeGreaterThanOrEqual(enoughContrast)
    }),
    { numRuns: 500 },
  )
})

test('a color that can be read stays as it is', () => {
  expect(portalColoursOf('#0b5c3b')).toMatchObject({ onBrand: '#ffffff', onLight: '#0b5c3b' })
  expect(portalColoursOf('#ffd34d')).toMatchObject({ onBrand: '#000000', onDark: '#ffd34d' })
})

test('a pale color becomes darker on a light page', () => {
  expect(portalColoursOf('#ffe97f').onLight).not.toBe('#ffe97f')
})
