import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugPattern } from '#contract/key-portal/portal.ts'
import { slugOf } from './slug.ts'

test('a name becomes an address', () => {
  expect(slugOf('Caffè Duomo & figli')).toBe('caffe-duomo-figli')
  expect(slugOf('  Straße 12 – Größe XL ')).toBe('strasse-12-grosse-xl')
  expect(slugOf("L'angolo del caffè")).toBe('langolo-del-caffe')
})

test('Cyrillic and Greek are written in Latin letters', () => {
  expect(slugOf('Кофе и чай')).toBe('kofe-i-chai')
  expect(slugOf('Ђорђе Кафа')).toBe('djordje-kafa')
  expect(slugOf('Καφές')).toBe('kafes')
})

test('a name without a Latin spelling has no address', () => {
  expect(slugOf('自動販売機')).toBe('')
})

test('a long name is cut between words', () => {
  expect(slugOf('coffee '.repeat(20))).toBe('coffee-coffee-coffee-coffee-coffee-coffee-coffee-coffee')
})

test('every address is valid or empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (name) => {
      const slug = slugOf(name)
      expect(slug === '' || (slugPattern.test(slug) && slug.length <= 60)).toBe(true)
    }),
  )
})
