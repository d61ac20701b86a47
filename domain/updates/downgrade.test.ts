import { expect, test } from 'vitest'
import { downgradeOf } from './downgrade.ts'

test('an update takes machines back that run a newer version, and names their versions', () => {
  const running = [
    { version: '4.12.0.0', machines: 2 },
    { version: '4.9.0.0', machines: 5 },
    { version: '4.13.0.0', machines: 1 },
  ]
  expect(downgradeOf(running, '4.10.0.0')).toEqual({
    machines: 3,
    versions: ['4.12.0.0', '4.13.0.0'],
    names: '4.12.0.0, 4.13.0.0',
  })
  expect(downgradeOf(running, '4.13.0.0')).toBeUndefined()
})
