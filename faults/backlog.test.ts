import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { backlogOf, messagesOf } from './backlog.ts'
import { aGatewayProcess, aLoadFleet, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()
const awaySeconds = isFull ? 120 : 15
const rate = isFull ? 125 : 60

test('after an outage the backlog is worked off in the order of the clock, and waiting machines have not flooded the gateway', async () => {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 50 : 12)
  const gateway = await aGatewayProcess(database)
  const stored: [number, number][] = []
  let end = 0
  const onStored = (soldAt: number, storedAt: number) => stored.push([soldAt, storedAt])
  const load = { broker: gateway.mqttUrl, members, rate, seconds: 4, patienceSeconds: 60, onStored }
  const report = await sellThrough(load, async ({ over, caughtUp }) => {
    await pause(2_000)
    await database.kill()
    await pause(awaySeconds * 1000)
    await database.start()
    over()
    end = performance.now()
    await caughtUp()
  })
  const messages = await messagesOf(gateway.url)
  const backlog = backlogOf(end, stored, messages / report.sent)
  await expectNothingLost(`PostgreSQL killed and down for ${awaySeconds} s, machines wait`, database, {
    ...report,
    backlog,
  })
  expect(backlog.sales).toBeGreaterThan((awaySeconds * rate) / 2)
  expect(backlog.messagesPerSale).toBeLessThan(2)
  // Machines are called back within a second or two, and their messages then stored by their clocks.
  expect(backlog.overtakenSeconds).toBeLessThan(5)
  const [row] = await database.admin<{ late: number }>(
    `select count(*)::int as late from (
       select seq < max(seq) over (partition by machine_id order by saved_at, seq) as is_late from transactions) as t where is_late`,
  )
  expect(row?.late).toBe(0)
})
