import { expect, test } from 'vitest'
import { openCashlessBus } from './cashless-bus.ts'
import { readSniffed } from './sniffed-line.ts'

/** Lines as an adapter logs them, 5 ms apart. */
function heard(lines: readonly string[], { from = 6_500_000, apart = 50, digits = 2 } = {}) {
  const bus = openCashlessBus({ scale: 1, decimals: 2 }, digits)
  return lines.flatMap((line, at) => {
    const [kind, ...rest] = line.split(' ')
    const tick = String(from + at * apart).padStart(10, '0')
    const block = readSniffed(kind === 'm' ? `x,00,${tick},${rest.join(',')}` : `x,80,${tick},${rest.join(',')}`)
    return block ? bus.follow(block) : []
  })
}

const sold = { paidBy: 'cashless1', item: 5, price: 150, isFailed: false }

test('a cashless vend is one sale at the end of its session', () => {
  const session = [
    'm 12 ',
    'd 0301f4',
    'm ACK',
    'm 13 0000960005',
    'd 050096',
    'm ACK',
    'm 13 020005',
    'd ACK',
    'm 13 04',
    'd 07',
  ]
  expect(heard(session)).toEqual([sold])
})

test('the approval may arrive with a later poll, and says what was taken', () => {
  const session = ['m 13 0000960005', 'd ACK', 'm 12 ', 'd 050082', 'm ACK', 'm 13 020005', 'd ACK']
  expect(heard(session)).toEqual([{ ...sold, price: 130 }])
  // Readers that do not say what they took send 0, or all ones.
  expect(heard(['m 13 0000960005', 'd 05ffff', 'm 13 02ffff', 'd ACK'])).toEqual([sold])
})

test('the reader’s own unit counts, as its set-up says it', () => {
  expect(heard(['m 11 0003000000', 'd 0103197805013c09', 'm 13 0500180005', 'd ACK'])).toEqual([
    { paidBy: 'cash', item: 5, price: 1200, isFailed: false },
  ])
  expect(heard(['m 12 ', 'd 0103197805023c09', 'm 13 0500180005', 'd ACK'])).toMatchObject([{ price: 120 }])
})

test('denied, cancelled and failed vends are no sales', () => {
  expect(heard(['m 13 0000960005', 'd 06', 'm 13 04', 'd 07'])).toEqual([])
  expect(heard(['m 13 0000960005', 'd ACK', 'm 13 01', 'd 06'])).toEqual([])
  expect(heard(['m 13 0000960005', 'd 050096', 'm 13 03', 'd ACK', 'm 13 03', 'd ACK'])).toEqual([
    { ...sold, isFailed: true },
  ])
})

test('a reset between approval and success is a success, before the approval it is none', () => {
  expect(heard(['m 13 0000960005', 'd 050096', 'm 10 ', 'd ACK'])).toEqual([sold])
  expect(heard(['m 13 0000960005', 'd ACK', 'm 10 ', 'd ACK'])).toEqual([])
})

test('a machine that repeats a block has sold once; the same selection some seconds later is another sale', () => {
  const cash = ['m 13 0500960005', 'm 13 0500960005', 'd ACK', 'm 13 0500960005', 'd ACK']
  expect(heard(cash)).toHaveLength(1)
  expect(heard(['m 13 0500960005', 'd ACK', 'm 13 0500960005', 'd ACK'], { apart: 30_000 })).toHaveLength(2)
  const success = ['m 13 0000960005', 'd 050096', 'm 13 020005', 'm 13 020005', 'd ACK']
  expect(heard(success)).toEqual([sold])
  // The adapter's time has ten digits and starts again.
  expect(heard(cash, { from: 9_999_999_900 })).toHaveLength(1)
})

test('the end of a vend whose request was missed has no price', () => {
  expect(heard(['m 13 020005', 'd ACK'])).toEqual([{ ...sold, price: null }])
})

test('the second reader, amounts of four bytes and other devices', () => {
  expect(heard(['m 63 0000960005', 'd 050096', 'm 63 020005', 'd ACK'])).toEqual([{ ...sold, paidBy: 'cashless2' }])
  expect(heard(['m 13 00000000960005', 'd 0500000096', 'm 13 020005', 'd ACK'])).toEqual([sold])
  expect(heard(['m 13 050000009600051978', 'd ACK'])).toEqual([{ ...sold, paidBy: 'cash' }])
  expect(heard(['m 0b ', 'd 0500', 'm 33 0500960005', 'd ACK'])).toEqual([])
})
