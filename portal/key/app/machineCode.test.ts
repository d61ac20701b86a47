import { expect, test } from 'vitest'
import { machineCodeOf } from './machineCode.ts'

test('the code is read from the address of a QR image', () => {
  expect(machineCodeOf('https://keys.test/m/0a1b2c3d4e5f')).toBe('0a1b2c3d4e5f')
  expect(machineCodeOf('https://keys.test/key/aurora/m/0a1b2c3d4e5f?x=1')).toBe('0a1b2c3d4e5f')
})

test('a typed code may have blanks, hyphens and capitals', () => {
  expect(machineCodeOf(' 0A1B 2C3D-4E5F ')).toBe('0a1b2c3d4e5f')
})

test('other texts have no code', () => {
  for (const text of ['', 'https://elsewhere.test/', '0a1b2c3d4e5', '0a1b2c3d4e5f0', 'javascript:alert(1)'])
    expect(machineCodeOf(text)).toBeUndefined()
})
