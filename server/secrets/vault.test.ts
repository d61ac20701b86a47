import { expect, test } from 'vitest'
import { createVault } from './vault.ts'

const vault = createVault('a deployment’s secret')

test('an encrypted text can be decrypted, and encrypting it twice gives different results', () => {
  expect(vault.open(vault.seal('12345678'))).toBe('12345678')
  expect(vault.open(vault.seal(''))).toBe('')
  expect(vault.seal('12345678')).not.toBe(vault.seal('12345678'))
})

test('an altered text or another key is refused', () => {
  const sealed = vault.seal('12345678')
  expect(() => createVault('another secret').open(sealed)).toThrow()
  const [version, nonce, tag, hidden] = sealed.split('.') as [string, string, string, string]
  const flipped = Buffer.from(hidden, 'base64url').map((byte, at) => (at === 0 ? byte ^ 1 : byte))
  expect(() => vault.open([version, nonce, tag, Buffer.from(flipped).toString('base64url')].join('.'))).toThrow()
  expect(() => vault.open([version, nonce, tag.slice(0, 6), hidden].join('.'))).toThrow()
  expect(() => vault.open('12345678')).toThrow('Not a sealed text')
})
