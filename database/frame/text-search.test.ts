import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { folded, isFoundIn, searchPattern } from '#domain/frame/folded.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aClient, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { machinesFound } from './conditions.ts'
import { searching } from './text-search.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

/** Letters of the languages that people write here, their capitals, single accents, and signs. */
const letter = fc.oneof(
  fc.constantFrom(...'aàÀâÄåçÉèêëïîñõöØøßẞæÆœŒþÞłŁđĐðıİħŧŋşŠžŽűąęÿ’‘–—−½ﬁ…'),
  fc.constantFrom(...'αάΑΆέΈηήϊΐόύώςσΣΩὦᾳйЙёЁіїІЇґЄ\u0301\u0308\u0327'),
  fc.integer({ min: 0x20, max: 0x24ff }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom(...' %_\\-.(12ab'),
)
const text = fc.string({ unit: letter, maxLength: 12 })

test('the database folds and finds every text as the domain does', async () => {
  const pairs = fc.sample(fc.tuple(text, text), { numRuns: 4_000, seed: 7 }).map(([held, part]) => {
    // Half of the searches are parts of the text.
    const search = part.length % 2 === 0 ? part : held.slice(1, 1 + part.length)
    return { held: held.toWellFormed(), search: search.toWellFormed() }
  })
  const rows = await database.admin<{ bare: string; is_found: boolean }>(
    `select folded(held) as bare, folded(held) ~ pattern as is_found
      from unnest($1::text[], $2::text[]) with ordinality as each (held, pattern, at) order by at`,
    [pairs.map(({ held }) => held), pairs.map(({ search }) => searchPattern(search))],
  )
  expect(rows).toHaveLength(pairs.length)
  const differing = pairs.flatMap(({ held, search }, at) => {
    const row = rows[at]
    const isSame = row?.bare === folded(held) && row.is_found === isFoundIn(held, search)
    return isSame ? [] : [{ held, search, here: folded(held), ...row }]
  })
  expect(differing).toEqual([])
  expect(rows.filter(({ is_found }) => is_found).length).toBeGreaterThan(500)
})

test('the search of a list and of machines ignores accents, and two letters begin a word', async () => {
  const { id } = await aMerchant(database)
  await aClient(database, id, { name: 'Caffè Zürich' })
  await aMachine(database, id, { name: 'Straße Łódź' })
  await database.withTenant(wholeMerchant(id), async (db) => {
    const clients = async (search: string) => {
      const { where } = await searching(db, 'clients', search)
      const result = await sql<{
        name: string
      }>`select name from clients where ${db.narrow('clients')} and ${where}`.execute(db.query)
      return result.rows.length
    }
    for (const search of ['caffe', 'CAFFÈ', 'Caffe\u0300', 'zu', 'zür', 'fe z']) expect(await clients(search)).toBe(1)
    for (const search of ['ff', 'caffee', 'ca_']) expect(await clients(search)).toBe(0)
    const machines = async (search: string) => {
      const isFound = await machinesFound(db, search)
      const result =
        await sql`select id from machines where ${db.narrow('machines')} and ${isFound('machines.id')}`.execute(
          db.query,
        )
      return result.rows.length
    }
    for (const search of ['strasse', 'LODZ', 'lo', 'ße ł']) expect(await machines(search)).toBe(1)
    expect(await machines('dz')).toBe(0)
  })
})

test('a search uses the text index, also with two letters', async () => {
  const tables = await database.admin<{ name: string; held: string; index: string }>(
    `select tablename as name, indexname as index,
      substring(indexdef from 'folded\\((.*)\\) gin_trgm_ops') as held from pg_indexes where indexname like '%\\_by\\_text'`,
  )
  expect(tables.length).toBeGreaterThan(15)
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  // Empty tables are read whole otherwise, on other nodes too.
  await client.query(`set local citus.propagate_set_commands = 'local'`)
  await client.query('set local enable_seqscan = off')
  for (const { name, held, index } of tables)
    for (const search of ['zurich', 'zu']) {
      const { rows } = await client.query(
        `explain select 1 from ${name} where folded(${held}) ~ '${searchPattern(search)}'`,
      )
      expect(JSON.stringify(rows), search).toContain(`on ${index}`)
    }
})

test('a table is searchable by other columns after another call', async () => {
  const { id } = await aMerchant(database)
  await aClient(database, id, { name: 'Müller', city: 'Köln' })
  const countOf = async (search: string) => {
    const [row] = await database.admin<{ n: number }>(
      `select count(*)::int as n from clients where merchant_id = $1 and folded(searched) ~ $2`,
      [id, searchPattern(search)],
    )
    return row?.n
  }
  await database.admin(`call make_searchable('clients', '{name}')`)
  expect([await countOf('muller'), await countOf('koln')]).toEqual([1, 0])
  await database.admin(`call make_searchable('clients', '{name,city}')`)
  expect([await countOf('muller'), await countOf('koln')]).toEqual([1, 1])
  const rows = await database.withTenant(
    wholeMerchant(id),
    async (db) => (await searching(db, 'clients', 'Koln')).counted,
  )
  expect(rows).toEqual({ total: 1, capped: false })
})
