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

test('known variants of a modem’s envelope fields are read, and others are ignored', () => {
  const facts = (beside: object) => openModemEnvelope({ ...beside, DexData: file })?.facts
  expect(facts(head)).toEqual({ serial: 'HW-1', readAt: '2026-11-21T08:00:00', origin: 3 })
  expect(facts({ HWSerial: 77, MachineDate: '2026-11-21 08:00:00.123', Origin: 'Scheduled', Other: {} })).toEqual({
    serial: '77',
    readAt: '2026-11-21T08:00:00',
    origin: 1,
  })
  expect(facts({ HWSerial: {}, MachineDate: 0, Origin: 'DEX' })).toEqual({ serial: null, readAt: null, origin: null })
})

test('other JSON and truncated JSON stay unchanged', () => {
  for (const text of ['{"DexData":5}', '{"a":1}', '[]', `{"HWSerial":"1","DexData":"DXS*`, '{']) {
    const payload = Buffer.from(text)
    expect(readAuditMessage(payload)).toEqual({ envelope: null, bytes: payload })
  }
  const withMark = Buffer.from(`\uFEFF${JSON.stringify({ ...head, DexData: file })}`)
  expect(Buffer.from(readAuditMessage(withMark).bytes).toString('latin1')).toBe(file)
})
