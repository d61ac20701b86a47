/*
 * One day of the demo, and sums that must agree afterwards.
 *
 * `simulated-day.ts` starts the product with a history that ends a day ago. The machines then sell for a day through the real gateway: sales,
 * failed and charged vends, recharges, refills, collections, audits, cash reports. Customers use cloud credit at some machines. Staff
 * save visits, count and close collections, and refund.
 *
 * To add an identity, add a file to `identities/` that exports an `Identity`. It reads the database with SQL of its own (`day.sql`), not
 * with the product's queries, and compares with the product's figures (`day.as(role)` calls the API). It returns how many rows
 * it has checked and the rows that differ, with their figures. Files of the folder run in the order of their names; they do not change data.
 * An identity holds, or it is not there: none is skipped.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Identity } from './identity.ts'
import { type SimulatedDay, simulateDay } from './simulated-day.ts'

const files = import.meta.glob<Record<string, Identity>>('./identities/*.ts', { eager: true })
const identities = Object.values(files).flatMap((file) => Object.values(file))

let day: SimulatedDay
beforeAll(async () => {
  day = await simulateDay()
}, 600_000)
afterAll(() => day?.stop(), 60_000)

test('all kinds of the day’s data arrive', async () => {
  expect(identities.length).toBeGreaterThan(0)
  const counts = await day.sql<{ kind: string; count: number }>(
    `select kind, count(*)::int as count from (
       select 'type ' || type as kind from transactions where saved_at >= $1
       union all select 'failed and charged' from transactions where saved_at >= $1 and error_sale and value > 0
       union all select 'audit' from audits where saved_at >= $1
       union all select 'cash report' from cash_readings where saved_at >= $1
       union all select 'collection' from collections where at >= $1
       union all select 'visit' from visits where at >= $1
       union all select 'refund' from refunds where created_at >= $1
       union all select 'closed' from collections where closed_at >= $1
     ) news group by kind`,
    [day.from],
  )
  const kinds = counts.map(({ kind }) => kind)
  for (const kind of ['type 1', 'type 4', 'type 10', 'type 11', 'type 12', 'type 14', 'type 15'])
    expect(kinds).toContain(kind)
  for (const kind of ['failed and charged', 'audit', 'cash report', 'collection', 'visit', 'refund', 'closed'])
    expect(kinds).toContain(kind)
})

test.each(identities.map((identity) => [identity.title, identity] as const))('%s', async (_, identity) => {
  const { checked, broken } = await identity.check(day)
  expect(broken.slice(0, 20)).toEqual([])
  expect(broken).toHaveLength(0)
  expect(checked).toBeGreaterThan(0)
})
