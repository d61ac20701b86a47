import { expect, test } from 'vitest'
import { openModemEnvelope } from './modem-envelope.ts'
import { readAuditMessage } from './read-message.ts'

const file = 'DXS*NAY0000001*VA*V0/6*1\r\nST*001*0001\r\nID1*é\r\nDXE*1*1\r\n'
const bytes = Buffer.from(file, 'latin1')
const head = { HWSerial: 'HW-1', MachineDate: '2026-11-21T08:00:00', Origin: 3 }
const fileIn = (envelope: unknown) => {
  const opened = openModemEnvelope(envelope)
  return opened && Buffer.from(opened.bytes).toString('latin1')
}

test('a modem’s file is the machine’s bytes, whether sent as text, base64 or hexadecimal', () => {
  for (const DexData of [file, bytes.toString('base64'), bytes.toString('hex')])
    expect(fileIn({ ...head, DexData })).toBe(file)
  expect(fileIn({ DexData: 'no audit at all' })).toBe('no audit at all')
})

const facts = (beside: object) => openModemEnvelope({ ...beside, DexData: file })?.facts

test('known variants of a modem’s envelope fields are read, and others are ignored', () => {
  expect(facts(head)).toEqual({
    serial: 'HW-1',
    readAt: { wall: '2026-11-21T08:00:00' },
    origin: 3,
    originWord: null,
  })
  expect(facts({ HWSerial: 77, MachineDate: 'yesterday', Origin: {}, Other: {} })).toEqual({
    serial: '77',
    readAt: null,
    origin: null,
    originWord: null,
  })
})

test.each<[unknown, object | null]>([
  ['20261121 080000_217', { wall: '2026-11-21T08:00:00.217' }],
  ['20261121 080000', { wall: '2026-11-21T08:00:00' }],
  ['20261121 0800', { wall: '2026-11-21T08:00:00' }],
  ['2026-11-21 08:00:00.5', { wall: '2026-11-21T08:00:00.500' }],
  ['2026-11-21T08:00', { wall: '2026-11-21T08:00:00' }],
  ['2026-11-21T08:00:00Z', { at: Date.UTC(2026, 10, 21, 8) }],
  ['2026-11-21T08:00:00.217+01:00', { at: Date.UTC(2026, 10, 21, 7, 0, 0, 217) }],
  ['20261121 080000Z', { at: Date.UTC(2026, 10, 21, 8) }],
  [Date.UTC(2026, 10, 21, 8), { at: Date.UTC(2026, 10, 21, 8) }],
  [String(Date.UTC(2026, 10, 21, 8)), { at: Date.UTC(2026, 10, 21, 8) }],
  [0, null],
  ['20261121', null],
  ['2026-13-41T99:00:00Z', null],
])('a modem’s date %j is read as %j', (MachineDate, readAt) => {
  expect(facts({ MachineDate })?.readAt ?? null).toEqual(readAt)
})

test.each([
  ['AUTOMATIC', 1, 'AUTOMATIC'],
  ['Scheduled', 1, 'Scheduled'],
  ['CASH', 4, 'CASH'],
  ['manual', 7, 'manual'],
  ['DEX', null, 'DEX'],
  ['4', 4, null],
  [2, 2, null],
])('an origin %j is the number %j, and a word is kept', (Origin, origin, originWord) => {
  expect(facts({ Origin })).toMatchObject({ origin, originWord })
})

test('other JSON and truncated JSON stay unchanged', () => {
  for (const text of ['{"DexData":5}', '{"a":1}', '[]', `{"HWSerial":"1","DexData":"DXS*`, '{']) {
    const payload = Buffer.from(text)
    expect(readAuditMessage(payload)).toEqual({ envelope: null, bytes: payload })
  }
  const withMark = Buffer.from(`\uFEFF${JSON.stringify({ ...head, DexData: file })}`)
  expect(Buffer.from(readAuditMessage(withMark).bytes).toString('latin1')).toBe(file)
})
