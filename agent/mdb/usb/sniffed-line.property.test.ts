import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openCashlessBus } from './cashless-bus.ts'
import { openLines } from './lines.ts'
import { readSniffed } from './sniffed-line.ts'

const hex = (value: number, bytes: number) => value.toString(16).padStart(bytes * 2, '0')

/** Cash sales of a machine, seconds apart, and the lines of an adapter with polls between them. */
const sales = fc.array(
  fc.record({ price: fc.integer({ min: 1, max: 60_000 }), item: fc.integer({ min: 0, max: 9999 }) }),
  {
    maxLength: 8,
  },
)
function linesOf(some: readonly { price: number; item: number }[]): string[] {
  let tick = 9_999_900_000
  const at = (after: number) => {
    tick = (tick + after) % 1e10
    return String(tick).padStart(10, '0')
  }
  return some.flatMap(({ price, item }) => [
    `x,00,${at(30_000)},12,`,
    `x,80,${at(8)},ACK`,
    `x,00,${at(50)},13,05${hex(price, 2)}${hex(item, 2)}`,
    `x,80,${at(8)},ACK`,
  ])
}

function heard(bytes: Uint8Array, parts: readonly number[]) {
  const bus = openCashlessBus({ scale: 1, decimals: 2 }, 2)
  const found: { price: number | null; item: number | null }[] = []
  const take = openLines((line) => {
    const block = readSniffed(line)
    if (block) found.push(...bus.follow(block).map(({ price, item }) => ({ price, item })))
  })
  let from = 0
  for (const part of [...parts, bytes.length]) {
    take(bytes.subarray(from, from + part))
    from += part
  }
  return found
}

test('however the bytes are parted, each sale is heard once', () => {
  fc.assert(
    fc.property(sales, fc.array(fc.integer({ min: 0, max: 40 })), (some, parts) => {
      const bytes = Buffer.from(`${linesOf(some).join('\r\n')}\r\n`)
      expect(heard(bytes, parts)).toEqual(some)
    }),
  )
})

test('garbage between lines and lines that are doubled change no sale', () => {
  const noise = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('x,', 'x,00,12', 'x,ACK', 'r,ACK', 'x,01,0000000001,13,0500640001')),
  )
  fc.assert(
    fc.property(sales, noise, fc.nat(3), (some, strange, doubled) => {
      const lines = linesOf(some).flatMap((line, at) => [
        ...(strange[at] === undefined || /^x,[08]0,\d{1,10},/.test(strange[at]) ? [] : [strange[at]]),
        line,
        ...(at % 4 === doubled ? [line] : []),
      ])
      expect(heard(Buffer.from(`${lines.join('\n')}\n`), [])).toEqual(some)
    }),
  )
})

test('a cut changes its own line alone', () => {
  fc.assert(
    fc.property(sales, fc.nat(), fc.nat(200), (some, at, length) => {
      const bytes = Buffer.from(`${linesOf(some).join('\n')}\n`)
      const from = at % bytes.length
      const cut = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
      // Its two ends are of different lines. Blocks have no check sum in the log, so it may be a block by chance.
      const joined = bytes.subarray(0, from).toString().split('\n').length - 1
      const others = cut
        .toString()
        .split('\n')
        .filter((_, line) => line !== joined)
      const left = heard(Buffer.from(`${others.join('\n')}\n`), [])
      expect(Math.abs(heard(cut, []).length - left.length)).toBeLessThanOrEqual(1)
      // The other lines are sales of the machine, in their order.
      let next = 0
      for (const one of left) {
        while (next < some.length && JSON.stringify(some[next]) !== JSON.stringify(one)) next++
        expect(next++).toBeLessThan(some.length)
      }
    }),
    { numRuns: 300 },
  )
})

test('no line makes the reader throw', () => {
  fc.assert(
    fc.property(fc.string(), (line) => {
      const block = readSniffed(line)
      if (block) openCashlessBus({ scale: 1, decimals: 2 }, 2).follow(block)
    }),
  )
})
