import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readVmflow, vmflowTopics } from './message.ts'

const board = { board: '51', passkey: 'secret', digits: 2 }
const [sales = '', failures = ''] = vmflowTopics('51')
const signed = (text: string, passkey = 'secret') =>
  Buffer.from(`${text}:${createHmac('sha256', passkey).update(text).digest('hex')}`)
const at = Date.UTC(2026, 10, 21, 8)

test('a cash sale has its price, selection and time', () => {
  expect(readVmflow({ topic: sales, payload: signed(`150:3:${at / 1000}`) }, board)).toEqual({
    at,
    vend: { paidBy: 'cash', item: 3, price: 150, isFailed: false },
  })
  expect(
    readVmflow({ topic: sales, payload: signed(`150000:65535:${at / 1000}`) }, { ...board, digits: 0 }),
  ).toMatchObject({
    vend: { item: null, price: 1500 },
  })
  expect(readVmflow({ topic: sales, payload: signed('150:3:17') }, board)).toMatchObject({ at: null })
})

test('a failed vend has no price', () => {
  expect(readVmflow({ topic: failures, payload: signed(`150,3:${at / 1000}`) }, board)).toMatchObject({
    vend: { paidBy: 'cashless1', item: 3, price: null, isFailed: true },
  })
})

test('messages of another board, another passkey or another form are none', () => {
  const payload = signed(`150:3:${at / 1000}`)
  expect(readVmflow({ topic: 'domain.vmflow.xyz/52/sale', payload }, board)).toBe('another topic')
  expect(readVmflow({ topic: sales, payload: signed(`150:3:${at / 1000}`, 'x') }, board)).toBe(
    'the signature is of another passkey',
  )
  expect(readVmflow({ topic: sales, payload: signed(`150,3:${at / 1000}`) }, board)).toBe('no vend')
  expect(readVmflow({ topic: sales, payload: payload.subarray(0, 40) }, board)).toBe('no message of a board')
})

test('no changed byte of a message is taken', () => {
  const payload = signed(`150:3:${at / 1000}`)
  fc.assert(
    fc.property(fc.nat(payload.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const changed = Buffer.from(payload)
      changed[place] = (changed[place] ?? 0) ^ change
      // Capitals of the signature are the same number.
      if (changed.toString('latin1').toLowerCase() === payload.toString('latin1')) return
      expect(typeof readVmflow({ topic: sales, payload: changed }, board)).toBe('string')
    }),
  )
})
