import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { openLatencies } from './latencies.ts'
import { runLoad } from './run-load.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

async function aLoad(machines: number) {
  const merchant = await aMerchant(database)
  const made = await Promise.all(Array.from({ length: machines }, () => aMachine(database, merchant.id)))
  const members = made.map(({ serial, secret, epoch }) => ({ serial, secret, epoch, lastSeq: 0 }))
  const server = await aGateway(database)
  const rules = { broker: server.mqttUrl, timeZone: 'Europe/Rome', patienceSeconds: 30 }
  const stored = async () => {
    const [row] = await database.admin<{ count: number; value: number; rolled: number }>(
      `select count(*)::int as count, coalesce(sum(value), 0)::int as value,
        (select coalesce(sum(count), 0)::int from sales_hourly where merchant_id = $1) as rolled
       from transactions where merchant_id = $1`,
      [merchant.id],
    )
    return row
  }
  return { members, rules, stored }
}

test('every sale is stored once, despite duplicates and disorder', async () => {
  const { members, rules, stored } = await aLoad(10)
  const report = await runLoad({
    ...rules,
    members,
    rate: 300,
    seconds: 2,
    itemsPerMessage: 1,
    duplicated: 0.2,
    reordered: 0.2,
  })
  expect(report).toMatchObject({ machines: 10, sent: 600, committed: 600, lost: 0 })
  expect(report.acknowledged?.count).toBe(600)
  expect(await stored()).toMatchObject({ count: 600, rolled: 600 })
})

test('machines of an earlier run continue with their numbers', async () => {
  const { members, rules, stored } = await aLoad(2)
  const load = { ...rules, rate: 200, seconds: 0.5, itemsPerMessage: 20, duplicated: 0, reordered: 0 }
  await runLoad({ ...load, members })
  // A machine that has lost its last number gets it from the gateway.
  await runLoad({ ...load, members: members.map((member) => ({ ...member, lastSeq: 0 })) })
  expect(await stored()).toMatchObject({ count: 200, rolled: 200 })
})

test('percentiles are those of all measurements', () => {
  const latencies = openLatencies()
  expect(latencies.summary()).toBeUndefined()
  for (let value = 10_000; value >= 1; value--) latencies.note(value)
  expect(latencies.summary()).toEqual({ count: 10_000, p50: 5_000, p95: 9_500, p99: 9_900, worst: 10_000 })
})
