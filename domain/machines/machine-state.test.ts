import { expect, test } from 'vitest'
import { connections, type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import { machineStateOf, posStatusByAlarms, posStatusByConnection } from './machine-state.ts'

const { correct, warning, critical } = posStatuses
const { offline, online, unknown } = connections

test('an open blocking alarm is critical; an open warning or maintenance alarm of any severity is a warning', () => {
  expect(posStatusByAlarms({ worst: null, hasMaintenance: false })).toBe(correct)
  expect(posStatusByAlarms({ worst: 0, hasMaintenance: false })).toBe(correct)
  expect(posStatusByAlarms({ worst: 0, hasMaintenance: true })).toBe(warning)
  expect(posStatusByAlarms({ worst: 2, hasMaintenance: false })).toBe(warning)
  expect(posStatusByAlarms({ worst: 4, hasMaintenance: true })).toBe(critical)
})

test('offline is critical, and an unknown connection a warning', () => {
  expect([online, unknown, offline].map((connection) => posStatusByConnection[connection])).toEqual([1, 2, 3])
})

test('a blocked machine is blocked even offline, a silent one may have a warning, and any other sells', () => {
  const stateOf = (byAlarms: PosStatus) =>
    [offline, unknown, online].map((connection) => machineStateOf({ byAlarms, connection }))
  expect(stateOf(critical)).toEqual(['blocked', 'blocked', 'blocked'])
  expect(stateOf(warning)).toEqual(['silent', 'silent', 'warning'])
  expect(stateOf(correct)).toEqual(['silent', 'silent', 'selling'])
})
