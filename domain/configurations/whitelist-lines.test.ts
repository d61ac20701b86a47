import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whitelistLines } from './whitelist-lines.ts'

test('right lines are taken, wrong and repeated ones are named with their number and reason', () => {
  const { serials, skipped } = whitelistLines([
    'W-1',
    ' w-2 ',
    'w-1',
    'not a serial!',
    '',
    `W${'x'.repeat(200)}`,
    'W\0-3',
    'W-3',
  ])
  expect([...serials]).toEqual([
    ['W-1', 1],
    ['W-2', 2],
    ['W-3', 8],
  ])
  expect(skipped).toEqual([
    { line: 3, text: 'w-1', reason: 'repeated' },
    { line: 4, text: 'not a serial!', reason: 'notSerial' },
    { line: 5, text: '', reason: 'notSerial' },
    { line: 6, text: `W${'x'.repeat(99)}`, reason: 'notSerial' },
    { line: 7, text: 'W\0-3', reason: 'notSerial' },
  ])
})

test('each line is either taken or named', () => {
  const line = fc.oneof(fc.constantFrom('A-1', 'a-1', 'B-2', 'b-2 '), fc.string())
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const { serials, skipped } = whitelistLines(lines)
      const all = [...serials.values(), ...skipped.map((one) => one.line)].toSorted((one, other) => one - other)
      expect(all).toEqual(lines.map((_, at) => at + 1))
    }),
  )
})
