import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import { isDistributed, setDistributed } from '../distributed.ts'
import { selectedRows } from '../export/source.ts'
import { countUpTo, orderOf, pageByIds, pageOf, rowsWithin, type Sorted } from '../list.ts'
import type { Scope, TenantDb } from '../tenant.ts'
import { eachOf, gathered } from './apart.ts'
import { orderKeysOf } from './order-keys.ts'

type Ord = 'name' | 'signal' | 'seen' | 'worst'
const ordering = orderOf<Ord>({
  by: {
    name: sql`lower(machines.name)`,
    signal: sql`coalesce(machines.signal_percent, ${50}::int)`,
    seen: sql`machines.last_seen_at`,
    worst: sql`machines.pos_status desc, nullif(machines.name, ${'a, b'})`,
  },
  first: 'name',
  empty: 'last',
  full: ['signal'],
  ties: (direction) => sql`machines.id ${direction}`,
})

const names = [
  'zeta',
  'Alpha',
  'Ärger',
  'alpha',
  'a, b',
  'Beta 10',
  'Beta 9',
  'Óscar',
  '日本',
  '"quoted" \\ text',
  '{}',
  'NULL',
]
const isAtStart = isDistributed()

let database: TestDatabase
let whole: Scope
let parts: Scope
beforeAll(async () => {
  database = await openTestDatabase()
  const merchants = await Promise.all([0, 1, 2, 3].map(() => aMerchant(database)))
  const groups = await Promise.all(merchants.map(({ id }) => aGroup(database, id)))
  // One merchant has no machine.
  for (const [at, { id }] of merchants.entries())
    for (const nth of Array.from({ length: at * 4 }, (_, n) => n)) {
      const machine = await aMachine(database, id, {
        name: names[(at * 5 + nth) % names.length] as string,
        ...(nth % 2 && { groupId: groups[at] as string }),
        columns: {
          signal_percent: nth % 3 ? nth * 10 : null,
          // Microseconds order what milliseconds do not.
          last_seen_at: nth % 4 ? `2026-11-01T00:00:00.00000${nth % 10}Z` : null,
          pos_status: 1 + (nth % 3),
        },
      })
      if (nth % 2) await anAlarm(database, machine)
    }
  whole = merchants.map(({ id }) => ({ merchantId: id, groups: 'all' }))
  parts = merchants.map(({ id }, at) => ({ merchantId: id, groups: at % 2 ? 'all' : [groups[at] as string] }))
})
afterEach(() => setDistributed(isAtStart))
afterAll(() => database?.close())

/** What work finds together and apart; on several nodes each merchant is always read apart. */
async function both<T>(scope: Scope, work: (db: TenantDb) => Promise<T>, access: 'read' | 'write'): Promise<[T, T]> {
  const found: T[] = []
  for (const isApart of [isAtStart, true]) {
    setDistributed(isApart)
    found.push(await database.withTenant(scope, work, access))
  }
  return found as [T, T]
}

const filtered = (db: TenantDb, withAlarm: boolean) => () =>
  db
    .from('machines')
    .where(
      withAlarm
        ? sql<boolean>`exists (select 1 from alarms a where ${db.own('a')} and a.merchant_id = machines.merchant_id and a.machine_id = machines.id)`
        : sql<boolean>`true`,
    )

const listed = fc.record({
  isWhole: fc.boolean(),
  access: fc.constantFrom('read' as const, 'write' as const),
  withAlarm: fc.boolean(),
  ord: fc.constantFrom<(Ord | undefined)[]>('name', 'signal', 'seen', 'worst', undefined),
  ordType: fc.constantFrom('ASC' as const, 'DESC' as const, undefined),
  page: fc.integer({ min: 1, max: 6 }),
  size: fc.integer({ min: 1, max: 7 }),
  countedTo: fc.constantFrom(3, 10_000),
})

test('pages, counts and stretches of lists are the same, in any order, on any page and for any reader', () =>
  fc.assert(
    fc.asyncProperty(listed, async ({ isWhole, access, withAlarm, countedTo, page, size, ...sorted }) => {
      const order = ordering(sorted as Sorted<Ord>)
      const scope = isWhole ? whole : parts
      const [together, apart] = await both(
        scope,
        async (db) => {
          const matching = filtered(db, withAlarm)
          const columns = ['machines.id', 'machines.name', 'machines.merchant_id', 'machines.last_seen_at'] as const
          return {
            page: await pageOf(
              db,
              { page, size },
              { matching, order, countedTo, select: (some) => some.select(columns) },
            ),
            byIds: await pageByIds(
              db,
              { page, size },
              {
                matching,
                order,
                countedTo,
                id: 'machines.id',
                load: (ids, each) =>
                  each
                    .from('machines')
                    .select(columns)
                    .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
                    .execute(),
              },
            ),
            counted: await countUpTo(db, matching(), countedTo),
          }
        },
        access,
      )
      expect(apart).toEqual(together)
      expect(apart.byIds.rows).toEqual(apart.page.rows)
    }),
    { numRuns: 30 },
  ))

test('a file of several merchants has its rows in the order of the list, with dates as its language writes them', async () => {
  const what = [
    sql`machines.name`,
    sql`left((machines.last_seen_at at time zone 'UTC')::text, 10)`,
    sql`machines.last_seen_at`,
  ]
  for (const ord of ['name', 'seen', 'worst'] as const)
    for (const limit of [undefined, 5]) {
      const order = ordering({ ord })
      const [together, apart] = await both(
        whole,
        async (db) => {
          const rows = {
            order,
            count: sql<{ n: number }>`select 1 as n`,
            select: (some: typeof what, most: number | undefined) =>
              sql`select ${sql.join(some.map((value, at) => sql`${value} as ${sql.ref(`c${at}`)}`))} from machines
                where ${db.narrow('machines')} order by ${order} ${most === undefined ? sql`` : sql`limit ${most}`}`,
          }
          const lines: string[] = []
          const dateStyle = 'SQL, DMY' as const
          const selected = await selectedRows(db, rows as never, what, { limit, dateStyle })
          for await (const { bytes } of db.csv(selected, { separator: ',', dateStyle })) lines.push(bytes.toString())
          return lines.join('')
        },
        'write',
      )
      expect(apart).toEqual(together)
      expect(apart).toContain('01/11/2026')
    }
})

describe('what each merchant answers', () => {
  test('keeps every value of every type', async () => {
    const values = sql`select m.id, 1::smallint as s, 2::int as i, 3000000000::bigint as b, 1.50::numeric as n, 0.1::float8 as f,
      true as yes, 'a"b,{}\\'::text as t, null::text as nothing, '2026-02-28'::date as d, '2026-11-01 10:00:00.123456+00'::timestamptz as z,
      '2026-11-01 10:00:00'::timestamp as w, '{"a": [1, null]}'::jsonb as j, '{1,2}'::int[] as ints, '{"a,b",NULL,"NULL",""}'::text[] as texts,
      '{2026-02-28}'::date[] as days, '\\xdeadbeef'::bytea as raw, interval '1 day 2 hours' as span
      from merchants m`
    const [together, apart] = await both(
      whole,
      async (db) => {
        const each = await gathered(db, sql`${values} where ${db.narrow('merchants', 'm')}`)
        return (await sql`select * from ${each} r order by id`.execute(db.query)).rows
      },
      'read',
    )
    expect(apart).toEqual(together)
    expect(apart).toHaveLength(whole.length)
  })

  test('has its columns without any row, and a further one with the merchant', async () => {
    setDistributed(true)
    await database.withTenant(
      whole,
      async (db) => {
        const none = sql`select m.id, m.name from merchants m where ${db.narrow('merchants', 'm')} and false`
        expect(
          (await sql`select id, name, merchant from ${await gathered(db, none, 'merchant')} r`.execute(db.query)).rows,
        ).toEqual([])
        const all = await gathered(
          db,
          sql`select m.id from merchants m where ${db.narrow('merchants', 'm')}`,
          'merchant',
        )
        const { rows } = await sql<{ id: string; merchant: string }>`select * from ${all} r`.execute(db.query)
        expect(rows.map(({ merchant }) => merchant)).toEqual(rows.map(({ id }) => id))
      },
      'read',
    )
  })

  test('is read within its own merchant only, whatever the statement says', async () => {
    setDistributed(true)
    for (const access of ['read', 'write'] as const)
      await database.withTenant(
        whole,
        async (db) => {
          // Each merchant sees its own machines once, though the condition names all merchants.
          const ids = whole.map(({ merchantId }) => merchantId)
          const all = sql`select p.id from machines p where ${db.own('p')} and p.merchant_id = any(${ids}::uuid[])`
          const { rows } = await sql<{ n: number; ids: number }>`
            select count(*)::int as n, count(distinct id)::int as ids from ${await gathered(db, all)} r`.execute(
            db.query,
          )
          expect(rows[0]).toEqual({ n: 24, ids: 24 })
        },
        access,
      )
  })

  test('follows a write of the same transaction, whose scope is whole again afterwards', async () => {
    setDistributed(true)
    const seen = await database.withTenant(whole, async (db) => {
      await sql`update machines set address = 'renamed' where ${db.own('machines')}`.execute(db.query)
      const rows = await eachOf(db).from('machines').select('machines.address').execute()
      const after = await db.from('machines').select('machines.id').execute()
      await sql`rollback`.execute(db.query)
      return { names: new Set(rows.map(({ address }) => address)), after: after.length }
    })
    expect(seen).toEqual({ names: new Set(['renamed']), after: 24 })
  })

  test('fails as a whole if one merchant fails, and leaves no connection behind', async () => {
    setDistributed(true)
    const fail = (db: TenantDb) =>
      gathered(
        db,
        sql`select 1 / (m.id = ${whole[2]?.merchantId}::uuid)::int - 1 from merchants m where ${db.narrow('merchants', 'm')}`,
      )
    await expect(database.withTenant(whole, fail, 'read')).rejects.toMatchObject({ code: '22012' })
    const { apart } = database.pools
    expect(apart.idleCount).toBe(apart.totalCount)
  })

  test('takes its turn: more readers than connections wait for each other', async () => {
    setDistributed(true)
    const count = (db: TenantDb) => countUpTo(db, db.from('machines'))
    const counts = await Promise.all(Array.from({ length: 30 }, () => database.withTenant(whole, count, 'read')))
    expect(new Set(counts.map(({ total }) => total))).toEqual(new Set([24]))
  })
})

test('a stretch of a statement that sorts itself is cut from all merchants', async () => {
  const [together, apart] = await both(
    whole,
    (db) =>
      rowsWithin(
        db,
        { offset: 3, length: 5 },
        ({ offset, length }) => sql<{
          id: string
        }>`select p.id, lower(p.name) as name from machines p where ${db.narrow('machines', 'p')}
          order by lower(p.name), p.id limit ${length} offset ${offset}`,
        sql`r.name, r.id`,
      ),
    'read',
  )
  expect(apart).toEqual(together)
  expect(apart).toHaveLength(5)
})

test('an order is taken apart at its commas, not at those inside of its values', () => {
  const order = sql`coalesce(${sql.ref('x.a')}, ${1}) desc nulls last, ${sql.ref('x.b')} ${sql.raw('asc')}, left(x.c, 3), ', desc' ${sql.raw('desc')},
    ${sql.ref('x.d')} ${sql.raw('DESC')} nulls ${sql.raw('first')}`
  expect(orderKeysOf(order).map(({ direction }) => direction)).toEqual([
    'desc nulls last',
    'asc',
    '',
    'desc',
    'desc nulls first',
  ])
})
