import { expect, test } from 'vitest'
import { type AttemptCounts, isHeard, pinLimits } from './association-attempt.ts'

const first: AttemptCounts = {
  fromNetwork: 1,
  byNetwork: 1,
  bySerial: 1,
  everywhere: 1,
  everywhereInDay: 1,
  byMerchant: [1],
  expected: 1,
  expectedInDay: 1,
}
const strange = { isExpected: false, isKnownPlace: false }

test.each([
  ['a stranger’s first PIN', strange, {}, true],
  ['a sixth wrong PIN of a serial', strange, { bySerial: 6 }, false],
  ['a sixth wrong PIN of a serial from one network', { ...strange, isKnownPlace: true }, { fromNetwork: 6 }, false],
  ['a known network while others guess', { ...strange, isKnownPlace: true }, { bySerial: 6, everywhere: 900 }, true],
  [
    'an expected serial after six wrong PINs',
    { ...strange, isExpected: true },
    { bySerial: 7, fromNetwork: 7, expected: 7 },
    true,
  ],
  [
    'an expected serial in a network of guessers',
    { ...strange, isExpected: true },
    { byNetwork: 99, everywhere: 900 },
    true,
  ],
  [
    'an expected serial after a hundred wrong PINs',
    { ...strange, isExpected: true },
    { bySerial: 101, expected: 101 },
    false,
  ],
  [
    'an expected serial after three hundred wrong PINs in a day',
    { ...strange, isExpected: true },
    { bySerial: 6, expectedInDay: 301 },
    false,
  ],
])('%s', (_, facts, counts, isAnswered) => {
  expect(isHeard(facts, { ...first, ...counts })).toBe(isAnswered)
})

test('10,000 guesses at an expected serial are heard a hundred times, from however many networks', () => {
  let answered = 0
  for (let guess = 1; guess <= 10_000; guess++) {
    // As if each guess were right. Without a comparison it finds nothing.
    const counts = { ...first, bySerial: guess, everywhere: guess, everywhereInDay: guess, byMerchant: [guess] }
    if (isHeard({ isExpected: true, isKnownPlace: false }, { ...counts, expected: guess, expectedInDay: guess }))
      answered++
  }
  expect(answered).toBe(pinLimits.expected)
})
