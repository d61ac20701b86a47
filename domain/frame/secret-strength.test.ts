import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { weaknessOf } from './secret-strength.ts'

test('a secret that is short, well known, repeated, a sequence or made of words is refused', () => {
  const refused = {
    q3Jx0v7mZpL2bT9: 'short',
    'changeme-q3Jx0v7mZpL2bT9wRk5yHc8sNd4gVf6': 'wellKnown',
    abababababababababababababababababab: 'repeated',
    q3Jx0v7mZpL2q3Jx0v7mZpL2q3Jx0v7mZpL2: 'repeated',
    '0123456789abcdef0123456789abcdef': 'repeated',
    abcdefghijklmnopqrstuvwxyz0123456789: 'repeated',
    '12345678901234567890123456789012': 'repeated',
    'correct horse battery staple and another': 'words',
    'distributori-automatici-della-stazione-1': 'words',
    'VendingMachinesOfTheNorthernRegion2026!': 'words',
  }
  const weaknesses = Object.fromEntries(Object.keys(refused).map((secret) => [secret, weaknessOf(secret)]))
  expect(weaknesses).toEqual(refused)
})

test('random secrets of every common form are accepted, except one in a thousand that looks like words', () => {
  /** Random bytes, the same in each run. */
  const bytes = (count: number, seed: number) => createHash('sha512').update(`${seed}`).digest().subarray(0, count)
  const forms: ((seed: number) => string)[] = [
    (seed) => bytes(48, seed).toString('base64'),
    (seed) => bytes(32, seed).toString('base64url'),
    (seed) => bytes(24, seed).toString('base64url'),
    (seed) => bytes(32, seed).toString('hex'),
    (seed) => bytes(16, seed).toString('hex'),
    // A UUID.
    (seed) =>
      bytes(16, seed)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ]
  for (const form of forms) {
    const secrets = Array.from({ length: 1000 }, (_, seed) => form(seed))
    expect(secrets.filter((secret) => weaknessOf(secret) !== null).length).toBeLessThanOrEqual(1)
  }
})
