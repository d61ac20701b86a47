import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { fixture } from './fixtures/read-fixture.ts'
import { readAudit } from './reader.ts'

/** Hundreds of files are read here, on a machine that may be busy. */
vi.setConfig({ testTimeout: 60_000 })

const names = ['snack-dts6', 'hot-drinks-bare-lf', 'espresso-v1-swapped', 'odd-rows']
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const bytesOf = (lines: readonly string[]) => new Uint8Array(Buffer.from(lines.join('\r\n'), 'latin1'))
const linesOf = (name: string) => latin(fixture(name)).split(/\r\n|[\r\n]/)

/** The content of a file without line positions, segment counts and unread lines. */
function contentOf(file: Uint8Array) {
  const { sales, payments, selections, events, eventCounters, peripherals, cash, priceRows, makerRows, money } =
    readAudit(file)
  const lists = { sales, payments, selections, events, eventCounters, peripherals, cash, priceRows, makerRows, money }
  return JSON.parse(JSON.stringify(lists, (key, value) => (key === 'line' ? undefined : value))) as typeof lists
}

/** Any bytes but line ends, after a sign that no block's name begins with and that is no blank. */
const noiseLine = fc
  .array(
    fc.integer({ min: 1, max: 255 }).filter((code) => code !== 10 && code !== 13),
    { maxLength: 60 },
  )
  .map((codes) => `?${String.fromCharCode(...codes)}`)
  .filter((line) => !/dxs\*/i.test(line))

const untouched = new Map(
  names.map((name) => {
    const file = bytesOf(linesOf(name))
    return [name, { content: contentOf(file), unread: readAudit(file).unread.total }]
  }),
)

test('lines of noise between a file’s own lines leave its content unchanged, and each is kept', () => {
  const noise = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), noiseLine), { maxLength: 20 })
  fc.assert(
    fc.property(fc.constantFrom(...names), noise, (name, added) => {
      const lines = linesOf(name)
      // Never after the last line end: a truncated row is there.
      for (const [place, line] of added) lines.splice(Math.floor(place * (lines.length - 1)), 0, line)
      const file = bytesOf(lines)
      const before = untouched.get(name)
      expect(contentOf(file)).toEqual(before?.content)
      expect(readAudit(file).unread.total).toBe((before?.unread ?? 0) + added.length)
    }),
    { numRuns: 100 },
  )
})

test('a byte that is no UTF-8 garbles its own line alone', () => {
  const names = ['PA1*1*100*Tè verde', 'PA1*2*100*Caf\xe9', 'PA1*3*100*Ginseng']
  const [tea, coffee, ginseng] = names.map((line, index) => Buffer.from(line, index === 1 ? 'latin1' : 'utf8'))
  const line = Buffer.from('\r\n')
  const parts = [Buffer.from('DXS*1\r\nST*001'), tea, coffee, ginseng, Buffer.from('G85*0000\r\nSE*6\r\nDXE*1*1')]
  const file = Buffer.concat(parts.flatMap((part) => (part ? [part, line] : [])))
  expect(readAudit(file).selections.map(({ name }) => name)).toEqual(['Tè verde', 'Café', 'Ginseng'])
})

test('every row of selections is read or kept as unread, whatever the row before it', () => {
  const row = fc.oneof(
    fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 500 })).map(([name, price]) => `PA1*S${name}*${price}`),
    fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 9999 })).map(([count, value]) => `PA2*${count}*${value}`),
    noiseLine,
  )
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      const file = ['DXS*GET0000001*VA*V0/6*1', 'ST*001*0001', ...rows, 'G85*0000', 'SE*1*0001', 'DXE*1*1', '']
      const { selections, unread } = readAudit(bytesOf(file))
      const firstPrice = new Map<string, number>()
      let hasSelection = false
      let orphans = 0
      for (const each of rows) {
        const [block, name = '', price] = each.split('*')
        if (block === 'PA1') firstPrice.set(name, firstPrice.get(name) ?? Number(price))
        hasSelection ||= block === 'PA1'
        if (block === 'PA2' && !hasSelection) orphans += 1
      }
      expect(selections.map(({ selection }) => selection).sort()).toEqual([...firstPrice.keys()].sort())
      expect(unread.total).toBe(rows.filter((each) => each.startsWith('?')).length + orphans)
    }),
    { numRuns: 200 },
  )
})
