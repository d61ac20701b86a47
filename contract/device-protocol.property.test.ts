import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deviceExamples as examples } from './device-examples.ts'
import { AssociationRequest, Serial, type UpKind, upKinds, upPayloads } from './device-protocol.ts'

const id = '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11'
const at = '2026-11-21T08:00:00'
const batch = (item: object) => ({ id, at, epoch: 1, items: [{ seq: 1, at, ...item }] })

type Path = (string | number)[]
type Leaf = { path: Path; value: unknown }

function leavesOf(value: unknown, path: Path = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}
function objectsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) =>
    objectsOf(each, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return Array.isArray(value) ? inner : [path, ...inner]
}
type Node = Record<string | number, unknown>
function changed(whole: object, path: Path, change: (parent: Node, key: string | number) => void): object {
  const copy = structuredClone(whole) as Node
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key] as Node
  change(parent, path.at(-1) ?? '')
  return copy
}
/** Objects with any content. */
const free: ReadonlySet<unknown> = new Set(['parameters', 'document'])

const isTaken = (kind: UpKind, message: unknown) => upPayloads[kind].safeParse(message).success

/** Values that are invalid for every field of the protocol. */
const nonsense = [
  null,
  [],
  {},
  [[]],
  2 ** 60,
  -(2 ** 60),
  Number.NaN,
  Number.POSITIVE_INFINITY,
  'a\0b',
  '\ud800',
  'x'.repeat(10_001),
]

describe.each(upKinds)('%s', (kind) => {
  const { full, least } = examples[kind]
  const leaves = leavesOf(full)

  test('is accepted with all fields, and with only the required fields', () => {
    expect(upPayloads[kind].safeParse(full).error?.issues ?? []).toEqual([])
    expect(upPayloads[kind].safeParse(least).error?.issues ?? []).toEqual([])
  })

  test('is refused with nonsense in any of its fields', () => {
    for (const { path, value } of leaves) {
      for (const other of [
        ...nonsense,
        typeof value === 'string' ? 7 : 'seven',
        typeof value === 'boolean' ? 1 : true,
      ]) {
        const message = changed(full, path, (parent, key) => {
          parent[key] = other
        })
        expect(isTaken(kind, message), `${path.join('.')} = ${JSON.stringify(other)?.slice(0, 40)}`).toBe(false)
      }
    }
  })

  test('is refused without a required field', () => {
    for (const { path } of leavesOf(least).filter(({ path }) => path.at(-1) !== 'price.12')) {
      const message = changed(least, path, (parent, key) => delete parent[key])
      expect(isTaken(kind, message), path.join('.')).toBe(false)
    }
  })

  test('is read as ever with fields that this version does not know, at any depth', () => {
    const parsed = upPayloads[kind].parse(full)
    for (const path of objectsOf(full).filter((path) => !free.has(path.at(-1)))) {
      const message = changed({ full }, ['full', ...path, 'extra'], (parent, key) => {
        parent[key] = { of: ['newer', 'firmware'] }
      }) as { full: object }
      expect(upPayloads[kind].safeParse(message.full).data, path.join('.')).toEqual(parsed)
    }
  })

  test('other JSON values are refused', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isTaken(kind, value)).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})

const many = <T>(count: number, one: (selection: string) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(String(index)))

test.each([
  ['a sale below nothing', 'sale', { type: 1, value: -100 }],
  ['a price of 2^60', 'sale', { type: 1, value: 2 ** 60 }],
  ['a type beyond a byte', 'sale', { type: 256, value: 1 }],
  ['a price line that no machine has', 'sale', { type: 1, value: 1, priceLine: -1 }],
  ['a denomination of nothing', 'cash', { tubes: [{ value: 0, count: 1 }] }],
  ['coins below nothing', 'cash', { tubes: [{ value: 50, count: -1 }] }],
  ['more coins than exist', 'cash', { tubes: [{ value: 50, count: 2 ** 40 }] }],
  ['a box that owes money', 'cash', { box: -1 }],
  ['a signal of 101 %', 'reading', { signalPercent: 101 }],
  ['a temperature beyond all', 'reading', { temperatureCelsius: 1000 }],
  ['a reading of nothing', 'reading', {}],
  ['a code with a blank', 'event', { code: 'E D' }],
  ['stock of nothing', 'stock', { levels: [] }],
  ['a level below nothing', 'stock', { levels: [{ selection: '1', level: -1 }] }],
  ['a level of 2^60', 'stock', { levels: [{ selection: '1', level: 2 ** 60 }] }],
  ['half a piece', 'stock', { levels: [{ selection: '1', level: 0.5 }] }],
  ['room for nothing', 'stock', { levels: [{ selection: '1', level: 0, capacity: 0 }] }],
  ['a warning below nothing', 'stock', { levels: [{ selection: '1', level: 0, warningLevel: -1 }] }],
  ['10,000 selections', 'stock', { levels: many(10_000, (selection) => ({ selection, level: 1 })) }],
  ['a selection said twice', 'stock', { levels: many(2, () => ({ selection: '1', level: 1 })) }],
  ['prices of nothing', 'prices', { prices: [] }],
  ['a price below nothing', 'prices', { prices: [{ priceTable: 1, selection: '1', price: -1 }] }],
  ['a list price of 2^60', 'prices', { prices: [{ priceTable: 1, selection: '1', price: 2 ** 60 }] }],
  ['price list 0', 'prices', { prices: [{ priceTable: 0, selection: '1', price: 1 }] }],
  ['price list 9', 'prices', { prices: [{ priceTable: 9, selection: '1', price: 1 }] }],
  ['10,000 prices', 'prices', { prices: many(10_000, (selection) => ({ priceTable: 1, selection, price: 1 })) }],
  ['a price said twice', 'prices', { prices: many(2, () => ({ priceTable: 1, selection: '1', price: 1 })) }],
] as const)('%s is refused', (_, kind, item) => {
  expect(isTaken(kind, batch(item))).toBe(false)
})

test('a selection has a name on one line, whatever is typed', () => {
  const isName = (selection: string) =>
    isTaken('stock', batch({ levels: [{ selection, level: 1 }] })) &&
    isTaken('prices', batch({ prices: [{ priceTable: 1, selection, price: 1 }] }))
  for (const name of ['1', '12', 'A3', 'Ä1', '1-2', 'A 3', 'Spirale 12', 'x'.repeat(20)])
    expect(isName(name)).toBe(true)
  const hostile = [
    '',
    ' ',
    ' 1',
    '1 ',
    'x'.repeat(21),
    '1\n2',
    '1\t2',
    '1\u00012',
    '1\u007f',
    '1\u202e2',
    '\ud800',
    '=1+1',
    '<b>',
  ]
  for (const name of hostile) expect(isName(name), JSON.stringify(name)).toBe(false)
})

test('a selection may have a price in several price lists; a report may hold all of a machine’s selections', () => {
  const prices = [1, 8].map((priceTable) => ({ priceTable, selection: '1', price: 100 }))
  expect(isTaken('prices', batch({ prices }))).toBe(true)
  expect(isTaken('stock', batch({ levels: many(500, (selection) => ({ selection, level: 1 })) }))).toBe(true)
})

test('amounts of refunds may be negative', () => {
  for (const type of [6, 16, 17]) expect(isTaken('sale', batch({ type, value: -100 }))).toBe(true)
})

test('a serial consists of letters, digits, dots, dashes and underscores', () => {
  const hostile = ['#', '+', '/', '\0', '$', ' ', '*', '%2F', '\n', 'é', '\u202e', '"', "'", '\\', ':', '..', '.a']
  for (const part of hostile.slice(0, -2))
    for (const serial of [part, `ABC${part}`, `${part}ABC`, `AB${part}CD`])
      expect(Serial.safeParse(serial).success, serial).toBe(false)
  for (const serial of [...hostile.slice(-2), '', 'AB', 'A'.repeat(41), 'A'.repeat(10_000)])
    expect(Serial.safeParse(serial).success).toBe(false)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (serial) => {
      expect(Serial.safeParse(serial).success).toBe(/^[A-Za-z0-9][A-Za-z0-9_.-]{2,39}$/.test(serial))
    }),
  )
})

test('an association ignores unknown fields and requires a PIN of eight digits', () => {
  const sound = { serial: 'LAB-0001', deviceType: 'AZVT', pin: '12345678' }
  expect(AssociationRequest.safeParse(sound).success).toBe(true)
  for (const pin of [
    '',
    '1234567',
    '123456789',
    '1234567a',
    '１２３４５６７８',
    12345678,
    null,
    '12345678\n',
    ['12345678'],
  ])
    expect(AssociationRequest.safeParse({ ...sound, pin }).success, String(pin)).toBe(false)
  expect(AssociationRequest.parse({ ...sound, merchantId: id })).toEqual(sound)
})
