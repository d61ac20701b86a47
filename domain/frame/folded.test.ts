import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contains, folded, isFoundIn } from './folded.ts'

test.each([
  ['Caffè', 'caffe'],
  ['GROẞ', 'gross'],
  ['straße', 'strasse'],
  ['Œuvre', 'oeuvre'],
  ['Smørrebrød', 'smorrebrod'],
  ['Łódź', 'lodz'],
  ['Καφές', 'καφεσ'],
  ['İstanbul ılık', 'istanbul ilik'],
  ['Èco ½ ﬁn', 'eco 1⁄2 fin'],
  ['L’Aquila', "l'aquila"],
  ['Ёлка', 'елка'],
])('%s is compared as %s', (text, bare) => {
  expect(folded(text)).toBe(bare)
})

test('folding a folded text changes nothing, and each text contains its own parts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(folded(folded(text))).toBe(folded(text))
      expect(contains(text, text)).toBe(true)
    }),
  )
})

test('two letters find beginnings of words, three are found anywhere', () => {
  expect(isFoundIn('Bar Évian (Zürich)', 'ev')).toBe(true)
  expect(isFoundIn('Bar Évian (Zürich)', 'ZU')).toBe(true)
  expect(isFoundIn('Bar Évian (Zürich)', 'ur')).toBe(false)
  expect(isFoundIn('Bar Évian (Zürich)', 'uri')).toBe(true)
  expect(isFoundIn('Riva del Po', 'po')).toBe(true)
  expect(isFoundIn('anything', undefined)).toBe(true)
})

test('every sign of a search is literal', () => {
  for (const search of ['100%', 'a_a', 'a.a', '(a)', '[a]', 'a\\b', '^a$', 'a|b', '***', 'a{2}', 'a/b', '`a`'])
    expect(isFoundIn(`x ${search} y`, search)).toBe(true)
  for (const search of ['a.a', 'a_a', '.*a', 'a|b']) expect(isFoundIn('x aaa bcd', search)).toBe(false)
})
