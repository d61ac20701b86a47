import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { arrayText, type Insertion, insertColumns } from './bulk-insert.ts'
import { isDistributed, setDistributed } from './distributed.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

const awkward = [
  '',
  ' ',
  'null',
  'NULL',
  'a,b',
  '{x}',
  '"',
  '\\',
  "it's",
  '\\"',
  'Tè\n\t',
  '😀',
  '2026-11-21T08:00:00.000Z',
]

test('an array keeps every text unchanged, and null as null', async () => {
  const [row] = await database.admin<{ texts: (string | null)[] }>('select $1::text[] as texts', [
    arrayText([...awkward, null, undefined]),
  ])
  expect(row?.texts).toEqual([...awkward, null, null])
  const [empty] = await database.admin<{ n: number }>('select cardinality($1::text[]) as n', [arrayText([])])
  expect(empty?.n).toBe(0)
})

const groupsOf = (merchants: readonly string[]): Insertion => ({
  table: 'groups',
  columns: [
    { name: 'merchant_id', type: 'uuid', values: merchants },
    { name: 'id', type: 'uuid', values: merchants.map(() => crypto.randomUUID()) },
    { name: 'name', type: 'text', values: merchants.map((_, n) => `Group ${n}`) },
    { name: 'created_at', type: 'timestamptz', value: '2026-11-21T08:00:00Z' },
  ],
})
const clientsOf = (merchantId: string, names: readonly string[]): Insertion => ({
  table: 'clients',
  columns: [
    { name: 'merchant_id', type: 'uuid', value: merchantId },
    { name: 'id', type: 'uuid', values: names.map(() => crypto.randomUUID()) },
    { name: 'code', type: 'text', values: names },
    { name: 'name', type: 'text', values: names },
    { name: 'country', type: 'text', value: 'IT' },
    { name: 'created_at', type: 'timestamptz', value: '2026-11-21T08:00:00Z' },
  ],
  tail: 'on conflict (merchant_id, id) do update set name = excluded.name',
})
const namesIn = (merchantId: string) =>
  database.admin<{ groups: string[]; clients: string[] }>(
    `select array(select name from groups where merchant_id = $1 order by name) as groups,
       array(select name from clients where merchant_id = $1 order by name) as clients`,
    [merchantId],
  )

const isOnNodes = isDistributed()

// Several nodes take one of the forms.
describe.each([
  ...(isOnNodes ? [] : [['one array per column', false] as const]),
  ['multi-row VALUES, as on a distributed database', true] as const,
])('as %s', (_, form) => {
  beforeAll(() => setDistributed(form))
  afterAll(() => setDistributed(isOnNodes))

  test('rows are built from their columns in order, with shared values repeated', async () => {
    const merchant = await aMerchant(database)
    const ids = awkward.map(() => crypto.randomUUID())
    await database.withTenant(wholeMerchant(merchant.id), (db) =>
      insertColumns(db.query, {
        table: 'groups',
        columns: [
          { name: 'merchant_id', type: 'uuid', value: merchant.id },
          { name: 'id', type: 'uuid', values: ids },
          { name: 'name', type: 'text', values: awkward.map((text, n) => `${n}${text}`) },
          { name: 'created_at', type: 'timestamptz', value: '2026-11-21T08:00:00Z' },
        ],
      }),
    )
    const rows = await database.admin<{ id: string; name: string }>(
      'select id, name from groups where merchant_id = $1 order by array_position($2::uuid[], id)',
      [merchant.id, ids],
    )
    expect(rows).toEqual(ids.map((id, n) => ({ id, name: `${n}${awkward[n]}` })))
  })

  test('one row of another merchant rejects the whole insert', async () => {
    const ownMerchant = await aMerchant(database)
    const other = await aMerchant(database)
    const many = Array.from({ length: 50 }, (_, n) => (n === 37 ? other.id : ownMerchant.id))
    const inserted = database.withTenant(wholeMerchant(ownMerchant.id), (db) => insertColumns(db.query, groupsOf(many)))
    await expect(inserted).rejects.toMatchObject({ code: '42501' })
    expect(await namesIn(ownMerchant.id)).toEqual([{ groups: [], clients: [] }])
  })

  test('rows of several tables are stored together or not at all', async () => {
    const ownMerchant = await aMerchant(database)
    const other = await aMerchant(database)
    const both = (merchants: readonly string[]) =>
      database.withTenant(wholeMerchant(ownMerchant.id), (db) =>
        insertColumns(db.query, groupsOf(merchants), clientsOf(ownMerchant.id, ['Bar', 'Spa'])),
      )
    await expect(both([ownMerchant.id, other.id])).rejects.toMatchObject({ code: '42501' })
    expect(await namesIn(ownMerchant.id)).toEqual([{ groups: [], clients: [] }])
    await both([ownMerchant.id, ownMerchant.id, ownMerchant.id])
    expect(await namesIn(ownMerchant.id)).toEqual([
      { groups: ['Group 0', 'Group 1', 'Group 2'], clients: ['Bar', 'Spa'] },
    ])
  })

  test('an empty insert sends no statement', async () => {
    const merchant = await aMerchant(database)
    await database.withTenant(wholeMerchant(merchant.id), (db) => insertColumns(db.query))
    expect(await namesIn(merchant.id)).toEqual([{ groups: [], clients: [] }])
  })
})
