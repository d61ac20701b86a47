import { expect, test } from 'vitest'
import { breakpoints as ofTheTheme } from '../portal/app/theme/theme.ts'
import { breakpoints, looks, strangeWidths, widthsAsked } from './breakpoints.ts'

test('screens change their shape at the specification’s widths and at no others', () => {
  const files = looks()
  expect(files.flatMap(({ text }) => widthsAsked(text)).length).toBeGreaterThan(20)
  expect(files.flatMap(({ path, text }) => strangeWidths(text).map((width) => `${path}: ${width}`))).toEqual([])
})

test('the theme has the same ones', () => {
  const { xs, sm, md, lg } = ofTheTheme
  expect([xs, sm, md, lg]).toEqual(breakpoints.map((width) => `${width / 16}em`))
})

test('the check sees every way to ask for a width', () => {
  expect(strangeWidths('@media (max-width: 599.98px) {} @media print { a { max-width: 300px } }')).toEqual([])
  expect(strangeWidths('@media screen and (max-width:700px) and (min-width: 600px) {}')).toEqual(['max-width:700px'])
  expect(strangeWidths('@media (width >= 50em) {}')).toEqual(['width>=50em'])
  expect(strangeWidths('@media (40em <= width) {}')).toEqual(['40em<=width'])
  expect(strangeWidths(`matchMedia('(max-width: 600px)')`)).toEqual(['max-width:600px'])
})
