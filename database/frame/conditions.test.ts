import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aCollection } from '#testkit/machines/machine-data.ts'
import { among, anyOf, inPeriod, machinesFound } from './conditions.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

/** A merchant with a collection at each of some instants. */
async function instantsAmong(timeZone: string, instants: readonly string[]) {
  const { id } = await aMerchant(database, { time_zone: timeZone })
  const machine = await aMachine(database, id)
  for (const at of instants) await aCollection(database, machine, { at: new Date(at) })
  return id
}

test('a period is open at an end without a day only, also for merchants of several zones', async () => {
  const instants = ['2026-04-30T21:59:59Z', '2026-04-30T22:00:00Z', '2026-05-01T21:59:59Z', '2026-05-01T22:00:00Z']
  const rome = await instantsAmong('Europe/Rome', instants)
  const mexico = await instantsAmong('America/Mexico_City', instants)
  const count = (merchants: string[], period: { startDate?: string; endDate?: string }) =>
    database.withTenant(merchants.flatMap(wholeMerchant), async (db) => {
      const inside = await inPeriod(db, 'collections', 'at', period)
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from collections
        where ${db.narrow('collections')} and ${inside}`.execute(db.query)
      return rows[0]?.n
    })
  const startDate = '2026-05-01'
  const endDate = '2026-05-01'
  expect(await count([rome], { startDate, endDate })).toBe(2)
  expect(await count([rome], { startDate })).toBe(3)
  expect(await count([rome], { endDate })).toBe(3)
  expect(await count([rome], {})).toBe(4)
  expect(await count([mexico], { startDate, endDate })).toBe(2)
  expect(await count([rome, mexico], { startDate, endDate })).toBe(4)
  expect(await count([rome, mexico], { startDate })).toBe(5)
  expect(await count([rome, mexico], { endDate: '2026-04-30' })).toBe(3)
})

test('an instant that is written in another date style is an error, not an empty bound', async () => {
  const id = await instantsAmong('Europe/Rome', [])
  const read = database.withTenant(wholeMerchant(id), async (db) => {
    await sql`set local datestyle = 'German, DMY'`.execute(db.query)
    return inPeriod(db, 'collections', 'at', { startDate: '2026-05-01' })
  })
  await expect(read).rejects.toThrow(/no ISO instant/)
})

test('a filter that the user left out matches every row; an empty list of the program matches none', async () => {
  const id = await instantsAmong('Europe/Rome', ['2026-05-01T10:00:00Z'])
  const machinesWhere = (condition: ReturnType<typeof among>) =>
    database.withTenant(wholeMerchant(id), (db) =>
      db.from('collections').where(condition).select('collections.id').execute(),
    )
  const values: string[] | undefined = []
  expect(await machinesWhere(anyOf('collections.id', values as string[] | undefined, 'uuid'))).toHaveLength(1)
  expect(await machinesWhere(among('collections.id', [], 'uuid'))).toHaveLength(0)
})

test('a search finds few machines and hundreds alike', async () => {
  const { id } = await aMerchant(database)
  await database.admin(
    `insert into machines (merchant_id, id, serial, name, device_type, created_at)
     select $1, gen_random_uuid(), 'S' || n, case when n % 2 = 0 then 'Foyer ' else 'Lobby ' end || n, 'AZVT', now() from generate_series(1, 600) n`,
    [id],
  )
  const named = (search: string) =>
    database.withTenant(wholeMerchant(id), async (db) => {
      const isFound = await machinesFound(db, search)
      const rows = await db.from('machines').where(isFound('machines.id')).select('machines.name').execute()
      return rows.map(({ name }) => name).sort()
    })
  expect(await named('foyer 44')).toEqual(['Foyer 44', ...[440, 442, 444, 446, 448].map((n) => `Foyer ${n}`)])
  const foyers = await named('foyer')
  expect(foyers).toHaveLength(300)
  expect(foyers.every((name) => name.startsWith('Foyer'))).toBe(true)
  expect(await named('cellar')).toEqual([])
})
