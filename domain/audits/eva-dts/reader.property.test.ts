import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { AuditContent } from '#contract/audits/audit-content.ts'
import { fixture } from './fixtures/read-fixture.ts'
import { readAudit } from './reader.ts'

/** Thousands of files are read here, on a machine that may be busy. */
vi.setConfig({ testTimeout: 60_000 })

const names = [
  'snack-dts6',
  'hot-drinks-bare-lf',
  'espresso-v1-swapped',
  'collected-two-reports',
  'cash-only-no-values',
  'truncated',
  'odd-rows',
]
const megabyte = 1 << 20
const bytes = (text: string) => new TextEncoder().encode(text)

/** Any input gives content that fits the contract and survives JSON unchanged. */
function expectContent(file: Uint8Array) {
  const content = readAudit(file)
  expect(AuditContent.parse(JSON.parse(JSON.stringify(content)))).toEqual(content)
  return content
}

const blocks = [
  'DXS ST ST-1 SE DXE G85 g85 ID1 ID4 ID5 CB1 VA1 CA2 CA3 CA11 CA12 CA14 CA15 CA17 CA20',
  'DA1 DA2 DA5 TA2 PA1 PA2 PA5 PA7 LA1 EA1 EA2 EA3 EA4 EA7 MA5 ZZ9 constructor',
].flatMap((names) => names.split(' '))
const words = '4294967295 FFFF 20260314 0930 978 EUR CLP __proto__ ^00^ -1 1.5'.split(' ')

const element = fc.oneof(
  fc.nat({ max: 2 ** 31 }).map(String),
  fc.constantFrom('', ...words),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const segmentText = fc
  .tuple(fc.constantFrom('', ...blocks), fc.array(element, { maxLength: 13 }))
  .map(([block, elements]) => [block, ...elements].join('*'))

describe('the reader never throws', () => {
  test('on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (file) => void expectContent(file)),
      { numRuns: 300 },
    )
  })

  test('on any segments in any order, with any line ends', () => {
    const file = fc.array(fc.tuple(segmentText, fc.constantFrom('\r\n', '\n', '\r', '\r\r\n', '')), { maxLength: 60 })
    fc.assert(
      fc.property(file, (rows) => void expectContent(bytes(rows.map((row) => row.join('')).join('')))),
      { numRuns: 500 },
    )
  })

  test('on a file with bytes changed, left out or put in', () => {
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 255 }), fc.nat({ max: 2 }))
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(change, { minLength: 1, maxLength: 20 }), (name, changes) => {
        const file = [...fixture(name)]
        for (const [place, byte, removed] of changes) file.splice(Math.floor(place * file.length), removed, byte)
        expectContent(Uint8Array.from(file))
      }),
      { numRuns: 300 },
    )
  })

  test('on a file cut off at any byte, and never reports more than the whole file', () => {
    const file = fixture('snack-dts6')
    const full = readAudit(file)
    for (let length = 0; length <= file.length; length++) {
      const { sales, selections, payments } = expectContent(file.subarray(0, length))
      expect(sales.paid ?? full.sales.paid).toEqual(full.sales.paid)
      expect(payments.cash ?? full.payments.cash).toEqual(full.payments.cash)
      for (const [index, { sold, price }] of selections.entries()) {
        const whole = full.selections[index]
        expect({ price, sold: sold ?? whole?.sold }).toEqual({ price: whole?.price, sold: whole?.sold })
      }
    }
  })
})

/** A file of one megabyte made of one piece, with a counter where the piece has `#`. */
function filled(piece: string): Uint8Array {
  const text: string[] = []
  for (let index = 0, length = 0; length < megabyte; index++) {
    const part = piece.replaceAll('#', String(index))
    text.push(part)
    length += part.length
  }
  return bytes(text.join('')).subarray(0, megabyte)
}

describe('a megabyte of noise is read in time proportional to its size', () => {
  const pieces = [
    '*',
    ' ',
    '\n',
    '\r',
    '*\n',
    '^',
    '^2A^',
    'VA1*',
    'DXS*\n',
    'ST\nSE\n',
    'G85*\n',
    'EA1*A\n',
    '\u0000',
    'é',
  ]
  const rows = ['PA1*#\nPA2*1*x\n', 'PA1*1\nPA2*1*1\n', 'PA7*1*CA*0*#*1*1\n', 'CA11*#*1\n', 'DXS*#\nST\nVA1*1\n']
  const wide = [`VA1${'*x'.repeat(12)}\n`, `MA5${'*'.repeat(60)}\n`, 'xDXS*\n']

  test.each([...pieces, ...rows, ...wide])('%j', (piece) => {
    const file = filled(piece)
    // A quadratic step would take minutes here, and the test would not end in its time.
    const content = readAudit(file)
    expect(AuditContent.safeParse(content).success).toBe(true)
    expect(JSON.stringify(content).length).toBeLessThan(4 * megabyte)
  })

  test('random bytes', () => {
    const file = new Uint8Array(megabyte)
    for (let index = 0, seed = 1; index < megabyte; index++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      file[index] = seed >>> 24
    }
    expect(AuditContent.safeParse(readAudit(file)).success).toBe(true)
  })
})
