import { randomBytes } from 'node:crypto'
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
  const found = Object.fromEntries(Object.keys(refused).map((secret) => [secret, weaknessOf(secret)]))
  expect(found).toEqual(refused)
})

test('random secrets of every common form are taken', () => {
  const forms = [
    () => randomBytes(48).toString('base64'),
    () => randomBytes(32).toString('base64url'),
    () => randomBytes(24).toString('base64url'),
    () => randomBytes(32).toString('hex'),
    () => randomBytes(16).toString('hex'),
    () => crypto.randomUUID(),
  ]
  for (const form of forms)
    for (let tries = 0; tries < 50; tries += 1) {
      const secret = form()
      expect([secret, weaknessOf(secret)]).toEqual([secret, null])
    }
})
