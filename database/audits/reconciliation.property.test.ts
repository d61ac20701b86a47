import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { listReconciledDays, reconciledDays } from './reconciliation.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

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
  })
  await fc.assert(
    fc.asyncProperty(order, async ({ from, to, size, ordType, inGroups }) => {
      const filters = {
        startDate: dayAt(Math.max(from, to)),
        endDate: dayAt(to),
        groupIds: inGroups ? groupIds : undefined,
      }
      const scope = merchants.map(({ id }) => ({ merchantId: id, groups: 'all' as const }))
      await database.withTenant(scope, async (db) => {
        const keys = sql`listed.machine_id, listed.day::text as local_day`
        const whole = await sql<{ machine_id: string; local_day: string }>`
          ${reconciledDays(db, filters, keys, { ordType, limits: sql`` })}`.execute(db.query)
        const paged: unknown[] = []
        for (let page = 1; page <= Math.ceil(whole.rows.length / size) + 1; page++) {
          const { rows, total } = await listReconciledDays(db, filters, { page, size, ordType })
          expect(total).toBe(whole.rows.length)
          paged.push(...rows.map(({ machine_id, local_day }) => ({ machine_id, local_day })))
        }
        expect(paged).toEqual(whole.rows)
      })
    }),
    { numRuns: 6 },
  )
})
