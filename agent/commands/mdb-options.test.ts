import { expect, test } from 'vitest'
import { mdbSettingsOf } from './mdb-options.ts'

const usb = { mdb: 'usb', 'mdb-port': '/dev/ttyACM0' }

test('an adapter needs its port, a board its broker, number and passkey', () => {
  expect(mdbSettingsOf({ ...usb, 'mdb-medium': 'creditCard' }, undefined)).toEqual({
    source: { kind: 'usb', path: '/dev/ttyACM0', scale: 1, decimals: 2 },
    digits: 2,
    medium: 'creditCard',
  })
  const board = { mdb: 'vmflow', 'mdb-broker': 'mqtt://broker.example.com', 'mdb-board': '51', 'mdb-passkey': 'key' }
  expect(mdbSettingsOf({ ...board, digits: '0' }, undefined)).toMatchObject({ source: { board: '51' }, digits: 0 })
  expect(() => mdbSettingsOf({ mdb: 'usb' }, undefined)).toThrow('source.path')
  expect(() => mdbSettingsOf({ ...board, 'mdb-broker': 'http://broker' }, undefined)).toThrow('source.broker')
  expect(() => mdbSettingsOf({ mdb: 'other' }, undefined)).toThrow('source')
  expect(() => mdbSettingsOf({ ...usb, 'mdb-scale': '0' }, undefined)).toThrow('source.scale')
})

test('another set-up keeps the source, until it is ended', () => {
  const before = mdbSettingsOf(usb, undefined)
  expect(mdbSettingsOf({}, before)).toBe(before)
  expect(mdbSettingsOf({ mdb: 'none' }, before)).toBeUndefined()
})
