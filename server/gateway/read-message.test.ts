import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchKinds, readAuditMessage, readBatch, readWhole } from './read-message.ts'

const id = '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11'
const at = '2026-11-21T08:00:00'
const message = (items: unknown[]) => Buffer.from(JSON.stringify({ id, at, epoch: 1, items }))
const sale = (seq: number) => ({ seq, at, type: 1, value: 100 })

test('no bytes make a reader throw', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => Buffer.from(text)),
    fc.array(fc.jsonValue(), { maxLength: 5 }).map(message),
  )
  fc.assert(
    fc.property(bytes, (payload) => {
      for (const kind of batchKinds) expect(readBatch(kind, payload)).toBeDefined()
      for (const kind of ['hello', 'state', 'claim'] as const) expect(readWhole(kind, payload)).toBeDefined()
      expect(readAuditMessage(payload).bytes).toBeDefined()
    }),
  )
})

test('the valid items of a batch are read, and each bad item is set aside', () => {
  const bad = fc.jsonValue().filter((value) => !('value' in readAlone(value)))
  fc.assert(
    fc.property(fc.array(fc.oneof(bad, fc.constant('good')), { minLength: 1, maxLength: 30 }), (pattern) => {
      const items = pattern.map((each, index) => (each === 'good' ? sale(index + 1) : each))
      const read = readBatch('sale', message(items))
      if (!('value' in read)) throw new Error('The batch was refused as a whole')
      const good = pattern.flatMap((each, index) => (each === 'good' ? [index + 1] : []))
      expect(read.value.items.map(({ seq }) => seq)).toEqual(good)
      expect(read.value.bad).toHaveLength(pattern.length - good.length)
    }),
  )
})

const readAlone = (value: unknown) => {
  const read = readBatch('sale', message([value]))
  return 'value' in read && read.value.bad.length === 0 ? read : {}
}

test.each([
  ['a number of 2^60', { value: 2 ** 60 }],
  ['a fraction', { value: 1.5 }],
  ['a sequence number of 0', { seq: 0 }],
  ['a negative sequence number', { seq: -1 }],
  ['a text where a number belongs', { value: '100' }],
  ['a NUL in a name', { product: 'a\0b' }],
  ['a name of 10 kB', { product: 'x'.repeat(10_000) }],
])('a sale with %s is set aside', (_, more) => {
  const read = readBatch('sale', message([{ ...sale(1), ...more }, sale(2)]))
  expect(read).toMatchObject({ value: { items: [{ seq: 2 }], bad: [{ code: 'invalidItem' }] } })
})

test('a bad item reports its number if it has one, so that it is not requested again', () => {
  const read = readBatch('sale', message([{ ...sale(7), value: 'x' }, { seq: 'x' }, null]))
  expect(read).toMatchObject({ value: { bad: [{ seq: 7 }, { seq: null }, { seq: null }] } })
})

test('unknown fields of an item are stored unchanged at any depth, and other items are not affected', () => {
  const newer = '{"seq":1,"at":"2026-11-21T08:00:00","type":1,"value":5,"cup":{"size":"XL\\u0000"},"__proto__":[1]}'
  const read = readBatch(
    'sale',
    Buffer.from(`{"id":"${id}","at":"${at}","epoch":1,"mesh":7,"items":[${newer},${JSON.stringify(sale(2))}]}`),
  )
  if (!('value' in read)) throw new Error('The batch was refused')
  expect(read.value.items.map(({ seq, value }) => [seq, value])).toEqual([
    [1, 5],
    [2, 100],
  ])
  expect([...read.value.unknown]).toEqual([[0, '{"cup":{"size":"XL\\u0000"},"__proto__":[1]}']])
  const levels = [
    { selection: '1', level: 2 },
    { selection: '2', level: 3, shelf: 'B' },
  ]
  const stock = readBatch('stock', message([{ seq: 1, at, levels }]))
  expect(stock).toMatchObject({ value: { unknown: new Map([[0, '{"levels":{"1":{"shelf":"B"}}}']]) } })
  const config = readBatch('config', message([{ seq: 1, at, port: 'rs485', parameters: { price: '120' } }]))
  expect(config).toMatchObject({ value: { items: [{ port: 'unknown' }], unknown: new Map([[0, '{"port":"rs485"}']]) } })
})

test('a hello is read without invalid optional fields, and refused with an invalid required field', () => {
  const hello = (more: object) =>
    readWhole('hello', Buffer.from(JSON.stringify({ id, at, epoch: 1, lastSeq: 4, ...more })))
  expect(
    hello({ firmwareVersion: 'x'.repeat(100), imei: 5, simOperator: 'TIM', networkType: 'LTE-M', mesh: {} }),
  ).toMatchObject({
    value: { lastSeq: 4, simOperator: 'TIM' },
    ignored: { code: 'invalid' },
    unknown: { networkType: 'LTE-M', mesh: {} },
  })
  expect(hello({ lastSeq: -1 })).toMatchObject({ fault: { code: 'invalid' } })
})

test('an audit’s envelope is opened; any other message is the file', () => {
  const envelope = { id, at, epoch: 1, seq: 3, data: Buffer.from('DXS*1').toString('base64') }
  expect(readAuditMessage(Buffer.from(JSON.stringify(envelope)))).toMatchObject({
    envelope: { seq: 3, origin: 0, port: 'unknown' },
  })
  expect(Buffer.from(readAuditMessage(Buffer.from(JSON.stringify(envelope))).bytes).toString()).toBe('DXS*1')
  const newer = { ...envelope, port: 'can', reader: { voltage: 5 } }
  expect(readAuditMessage(Buffer.from(JSON.stringify(newer)))).toMatchObject({
    envelope: { port: 'unknown' },
    unknown: '{"port":"can","reader":{"voltage":5}}',
  })
  // It has a number, for which the machine waits.
  const wrong = { ...envelope, origin: 'nobody' }
  expect(readAuditMessage(Buffer.from(JSON.stringify(wrong)))).toMatchObject({ bad: { epoch: 1, item: { seq: 3 } } })
  const other = Buffer.from(JSON.stringify({ ...envelope, seq: 0 }))
  expect(readAuditMessage(other)).toEqual({ envelope: null, bytes: other })
})
