import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

test('a stored password is recognized, and another password is not', async () => {
  const stored = await hashPassword('Gettone-demo-1')
  expect(stored).not.toContain('Gettone')
  expect(await isPassword('Gettone-demo-1', stored)).toBe(true)
  expect(await isPassword('Gettone-demo-2', stored)).toBe(false)
  expect(await isPassword('', stored)).toBe(false)
})

test('no password is accepted for an account without one', async () => {
  expect(await isPassword('Gettone-demo-1', undefined)).toBe(false)
})

test('the same characters from another keyboard are the same password', async () => {
  expect(await isPassword('Caffe\u0301-nero-1', await hashPassword('Caff\u00e9-nero-1'))).toBe(true)
})
