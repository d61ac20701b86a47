import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { eachOf, isApart } from '../frame/apart/apart.ts'
import { isDistributed, setDistributed } from '../frame/distributed.ts'
import { fieldsOf, selectedRows } from '../frame/export/source.ts'
import { dayOrder, listReconciledDays, reconciledDayCount, reconciledDays } from './reconciled-day.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
const isAtStart = isDistributed()
afterAll(() => {
  setDistributed(isAtStart)
  return database.close()
})

const dayMs = 86_400_000
const dayAt = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)

test('the pages of days are the days in order, in whatever zones and since whenever the machines exist', async () => {
  const zones = ['Europe/Rome', 'Pacific/Auckland', 'America/Los_Angeles']
  const merchants = await Promise.all(zones.map((timeZone) => aMerchant(database, { timeZone })))
  const groupIds: string[] = []
  for (const [at, { id }] of merchants.entries()) {
    const groupId = await aGroup(database, id)
    groupIds.push(groupId)
    for (const hours of [2, 30, 50, 75, 200].slice(at))
      await aMachine(database, id, {
        ...(hours > 40 && { groupId }),
        columns: { name: `Machine ${at % 2} ${hours}`, created_at: new Date(Date.now() - hours * 3_600_000) },
      })
    await aMachine(database, id, { columns: { hidden: true, created_at: new Date(Date.now() - 9 * dayMs) } })
  }
  const order = fc.record({
    from: fc.nat(6),
    // A day that has begun in one zone has not in another one.
    to: fc.integer({ min: -1, max: 3 }),
    size: fc.integer({ min: 4, max: 12 }),
    ordType: fc.constantFrom('ASC' as const, 'DESC' as const, undefined),
    inGroups: fc.boolean(),
    isOnNodes: isAtStart ? fc.constant(true) : fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(order, async ({ from, to, size, ordType, inGroups, isOnNodes }) => {
      setDistributed(isOnNodes)
      const filters = {
        startDate: dayAt(Math.max(from, to)),
        endDate: dayAt(to),
        groupIds: inGroups ? groupIds : undefined,
      }
      const scope = merchants.map(({ id }) => ({ merchantId: id, groups: 'all' as const }))
      await database.withTenant(scope, async (db) => {
        const rows = {
          order: dayOrder({ ordType }),
          select: (what: readonly RawBuilder<unknown>[]) =>
            reconciledDays(db, filters, fieldsOf(what), { ordType, limits: sql`` }),
          count: reconciledDayCount(db, filters),
        }
        const what = [sql`listed.machine_id`, sql`listed.day::text`]
        const file = await selectedRows(db, rows, what, { limit: undefined })
        const whole = await sql<{ machine_id: string; local_day: string }>`
          select c0 as machine_id, c1 as local_day from (${file}) f`.execute((isApart(db) ? db : eachOf(db)).query)
        const paged: unknown[] = []
        for (let page = 1; page <= Math.ceil(whole.rows.length / size) + 1; page++) {
          const { rows, total } = await listReconciledDays(db, filters, { page, size, ordType })
          expect(total).toBe(whole.rows.length)
          paged.push(...rows.map(({ machine_id, local_day }) => ({ machine_id, local_day })))
        }
        expect(paged).toEqual(whole.rows)
      })
    }),
    { numRuns: 10 },
  )
})
