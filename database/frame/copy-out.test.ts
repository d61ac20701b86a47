import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { inlined } from './copy-out.ts'
import type { TenantDb } from './tenant.ts'

let database: TestDatabase
let merchantId: string
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
})
afterAll(() => database?.close())

const within = <T>(work: (db: TenantDb) => Promise<T>) => database.withTenant(wholeMerchant(merchantId), work, 'read')
async function read(db: TenantDb, query: ReturnType<typeof sql>, forced: string[] = []) {
  const pieces = [] as Buffer[]
  const total = { lines: 0 }
  for await (const { bytes, count } of db.csv(query, { separator: ';', forced })) {
    pieces.push(Buffer.from(bytes))
    total.lines += count
  }
  return { text: Buffer.concat(pieces).toString(), lines: total.lines }
}

/** One column as in RFC 4180; an empty text differs from null. */
const asCsv = (texts: readonly string[]) =>
  texts.map((text) => `${text === '' || /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text}\n`).join('')

test('parameters become literals and cannot inject SQL', async () => {
  const hostile = [`'; drop table merchants; --`, `\\'; select 1`, 'a "name" with $1 and $2', 'é 😀', '-1', '']
  const query = sql`select t from unnest(${hostile}::text[]) with ordinality as x (t, n) where ${7}::int > 6 and ${null}::text is null
    and '$1' <> "t" order by n`
  const { text, lines } = await within((db) => read(db, query))
  expect(text).toBe(asCsv(hostile))
  expect(lines).toBe(hostile.length)
  expect(inlined({ sql: `'$1' "$1" $1`, parameters: ['x'] })).toBe(`'$1' "$1" 'x'`)
})

test('a field may contain line breaks, quotes and the separator', async () => {
  const texts = ['two\nlines', 'two\r\nlines', 'a "quoted" word', 'a;b', 'plain']
  const { text, lines } = await within((db) => read(db, sql`select t from unnest(${texts}::text[]) as t`))
  expect(text).toBe(asCsv(texts))
  expect(lines).toBe(texts.length)
})

test('fields of users and machines are quoted, and null stays empty', async () => {
  const query = sql`select a, b from (values ('x', 1), (null, 2)) as v (a, b)`
  const { text } = await within((db) => read(db, query, ['a']))
  expect(text).toBe('"x";1\n;2\n')
})

test('long results arrive as whole lines and are counted', async () => {
  const { text, lines } = await within((db) =>
    read(
      db,
      sql`select repeat('x', n % 90) || case when n % 1000 = 0 then e'\n' else '' end from generate_series(1, 50000) as n`,
    ),
  )
  expect(lines).toBe(50_000)
  expect(text.split('\n')).toHaveLength(50_051)
})

test('a reader who stops early leaves no connection that still sends', async () => {
  for (let round = 0; round < 5; round++) {
    const stopped = within(async (db) => {
      for await (const _ of db.csv(sql`select repeat('x', 1000) from generate_series(1, 10000000)`, { separator: ',' }))
        throw new Error('enough')
    })
    await expect(stopped).rejects.toThrow('enough')
  }
  expect(await within((db) => read(db, sql`select 'again'`))).toEqual({ text: 'again\n', lines: 1 })
  await expect
    .poll(
      () =>
        database.admin(
          `select 1 from pg_stat_activity where datname = current_database() and query like 'copy%' and state = 'active'`,
        ),
      {
        timeout: 15_000,
      },
    )
    .toEqual([])
})

test('a failure midway is an error', async () => {
  const query = sql`select (100 / (5000 - n))::text from generate_series(1, 10000) as n`
  await expect(within((db) => read(db, query))).rejects.toMatchObject({ code: '22012' })
})

test('row-level security applies', async () => {
  const other = await aMerchant(database)
  const { text } = await within((db) => read(db, sql`select id::text from merchants`))
  expect(text).toBe(`${merchantId}\n`)
  expect(text).not.toContain(other.id)
})
