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
async function read(db: TenantDb, query: ReturnType<typeof sql>) {
  const [pieces, total] = [[] as Buffer[], { lines: 0 }]
  for await (const { bytes, count } of db.lines(query)) {
    pieces.push(Buffer.from(bytes))
    total.lines += count
  }
  return { text: Buffer.concat(pieces).toString(), lines: total.lines }
}

test('parameters are written out as what they are, and nothing in them is taken for SQL', async () => {
  const hostile = [`'; drop table merchants; --`, `\\'; select 1`, 'a "name" with $1 and $2', 'é 😀', '-1', '']
  const query = sql`select t from unnest(${hostile}::text[]) with ordinality as x (t, n) where ${7}::int > 6 and ${null}::text is null
    and '$1' <> "t" order by n`
  const { text, lines } = await within((db) => read(db, query))
  expect(text).toBe(`${hostile.join('\n')}\n`)
  expect(lines).toBe(hostile.length)
  expect(inlined({ sql: `'$1' "$1" $1`, parameters: ['x'] })).toBe(`'$1' "$1" 'x'`)
})

test('a line may hold breaks, and marks that mean something to COPY', async () => {
  const texts = ['two\nlines', 'two\r\nlines', 'a\u0002b', 'plain']
  const { text, lines } = await within((db) => read(db, sql`select t from unnest(${texts}::text[]) as t`))
  expect(text).toBe(`${texts.join('\n')}\n`)
  expect(lines).toBe(texts.length)
})

test('many lines come whole, and are counted', async () => {
  const { text, lines } = await within((db) =>
    read(
      db,
      sql`select repeat('x', n % 90) || case when n % 1000 = 0 then e'\n' else '' end from generate_series(1, 50000) as n`,
    ),
  )
  expect(lines).toBe(50_000)
  expect(text.split('\n')).toHaveLength(50_051)
})

test('whoever stops in between leaves no connection that still sends', async () => {
  for (let round = 0; round < 5; round++) {
    const stopped = within(async (db) => {
      for await (const _ of db.lines(sql`select repeat('x', 1000) from generate_series(1, 10000000)`))
        throw new Error('enough')
    })
    await expect(stopped).rejects.toThrow('enough')
  }
  expect(await within((db) => read(db, sql`select 'again'`))).toEqual({ text: 'again\n', lines: 1 })
  await expect
    .poll(
      () =>
        database.admin(
          `select from pg_stat_activity where datname = current_database() and query like 'copy%' and state = 'active'`,
        ),
      {
        timeout: 15_000,
      },
    )
    .toEqual([])
})

test('what fails in the middle is an error', async () => {
  const query = sql`select (100 / (5000 - n))::text from generate_series(1, 10000) as n`
  await expect(within((db) => read(db, query))).rejects.toMatchObject({ code: '22012' })
})

test('row-level security holds', async () => {
  const other = await aMerchant(database)
  const { text } = await within((db) => read(db, sql`select id::text from merchants`))
  expect(text).toBe(`${merchantId}\n`)
  expect(text).not.toContain(other.id)
})
