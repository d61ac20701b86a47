import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { when } from './conditions.ts'
import { orderOf, pageByIds, pageOf, pageOfAll, type Sorted } from './list.ts'
import type { TenantDb } from './tenant.ts'

type Ord = 'name' | 'signal'
const parts = {
  by: { name: sql`lower(machines.name)`, signal: sql`machines.signal_percent` },
  first: 'name',
  ties: (direction: ReturnType<typeof sql>) => sql`machines.id ${direction}`,
} as const

let database: TestDatabase
let merchantId: string
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
  for (const [name, signal] of [
    ['Bar', 40],
    ['atrium', null],
    ['Canteen', 90],
    ['Depot', 40],
  ] as const)
    await aMachine(database, merchantId, { name, columns: { signal_percent: signal } })
})
afterAll(() => database?.close())

const machines = (db: TenantDb) => db.from('machines')
const named = (order: ReturnType<ReturnType<typeof orderOf>>, page = { page: 1, size: 20 }, countedTo?: number) =>
  database.withTenant(wholeMerchant(merchantId), async (db) => {
    const { rows, ...counted } = await pageOf(db, page, {
      matching: () => machines(db),
      order,
      ...(countedTo && { countedTo }),
      select: (query) => query.select('machines.name'),
    })
    return { ...counted, names: rows.map(({ name }) => name) }
  })

test('a list is sorted by its first order unless the user chooses another', async () => {
  const order = orderOf<Ord>(parts)
  expect((await named(order({}))).names).toEqual(['atrium', 'Bar', 'Canteen', 'Depot'])
  expect((await named(order({ ordType: 'DESC' }))).names).toEqual(['Depot', 'Canteen', 'Bar', 'atrium'])
  expect((await named(order({ ord: 'signal' }))).names).toEqual(['Bar', 'Depot', 'Canteen', 'atrium'])
})

test('a falling order falls unless the user says otherwise', async () => {
  const order = orderOf<Ord>({ ...parts, falling: ['signal'] })
  const by = async (sorted: Sorted<Ord>) => (await named(order(sorted))).names
  expect(await by({})).toEqual(['atrium', 'Bar', 'Canteen', 'Depot'])
  expect(await by({ ord: 'signal' })).toEqual(['Canteen', 'Depot', 'Bar', 'atrium'])
  expect(await by({ ord: 'signal', ordType: 'ASC' })).toEqual(['Bar', 'Depot', 'Canteen', 'atrium'])
})

test('equal rows have their place in the direction of the list, or always the same', async () => {
  const fixed = orderOf<Ord>({ ...parts, ties: sql`lower(machines.name)` })
  expect((await named(fixed({ ord: 'signal', ordType: 'DESC' }))).names).toEqual(['Canteen', 'Bar', 'Depot', 'atrium'])
})

test('a page has its rows and the number of all; a count that stops says so', async () => {
  const order = orderOf<Ord>(parts)({})
  expect(await named(order, { page: 2, size: 3 })).toEqual({ names: ['Depot'], total: 4, capped: false })
  expect(await named(order, { page: 1, size: 3 }, 2)).toMatchObject({ total: 2, capped: true })
})

test('rows found by their ids are in the order of the list, and rows gone meanwhile are left out', async () => {
  const names = await database.withTenant(wholeMerchant(merchantId), async (db) => {
    const { rows, total } = await pageByIds(
      db,
      { page: 1, size: 20 },
      {
        matching: () => machines(db),
        order: orderOf<Ord>(parts)({ ordType: 'DESC' }),
        id: 'machines.id',
        load: (ids) =>
          machines(db)
            .where('machines.id', 'in', [...ids])
            .where('machines.name', '<>', 'Canteen')
            .select(['machines.id', 'machines.name'])
            .orderBy('machines.name')
            .execute(),
      },
    )
    return { names: rows.map(({ name }) => name), total }
  })
  expect(names).toEqual({ names: ['Depot', 'Bar', 'atrium'], total: 4 })
})

test('a filter that is left out matches every row; false and zero are no such filters', async () => {
  const countWhere = (condition: ReturnType<typeof when>) =>
    database.withTenant(
      wholeMerchant(merchantId),
      async (db) => (await machines(db).where(condition).select('machines.id').execute()).length,
    )
  const atLeast = (signal: number | undefined) =>
    when(signal, (least) => sql<boolean>`machines.signal_percent >= ${least}`)
  expect(await countWhere(atLeast(undefined))).toBe(4)
  expect(await countWhere(atLeast(90))).toBe(1)
  expect(await countWhere(atLeast(0))).toBe(3)
  const hasSignal = (isKnown: boolean | undefined) =>
    when(isKnown, (is) => sql<boolean>`(machines.signal_percent is not null) = ${is}`)
  expect(await countWhere(hasSignal(false))).toBe(1)
  const among = (names: string[]) => when(names, (some) => sql<boolean>`machines.name = any(${some}::text[])`)
  expect(await countWhere(among(['Bar']))).toBe(1)
  expect(await countWhere(among([]))).toBe(4)
})

test('a list that reads all rows for its order counts them in the same statement, also on a page beyond the end', async () => {
  const page = (number: number, size = 3) =>
    database.withTenant(wholeMerchant(merchantId), (db) =>
      pageOfAll(
        db,
        { page: number, size },
        {
          matching: () => machines(db),
          order: orderOf<Ord>(parts)({}),
          id: 'machines.id',
          load: (ids) =>
            machines(db)
              .where('machines.id', 'in', [...ids])
              .select(['machines.id', 'machines.name'])
              .execute(),
        },
      ),
    )
  const shown = async (number: number) => {
    const { rows, ...counted } = await page(number)
    return { ...counted, names: rows.map(({ name }) => name) }
  }
  expect(await shown(1)).toEqual({ total: 4, capped: false, names: ['atrium', 'Bar', 'Canteen'] })
  expect(await shown(2)).toEqual({ total: 4, capped: false, names: ['Depot'] })
  expect(await shown(3)).toEqual({ total: 4, capped: false, names: [] })
})
