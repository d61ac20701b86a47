import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aGatewayProcess, aLoadFleet, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()

/** This version cannot book every third sale. */
const isBookable = (seq: number) => seq % 3 !== 0
const dialect = {
  head: { mesh: 4, relay: { hops: [1, 2] } },
  item: (seq: number) => ({ cup: 'XL', loyalty: { points: seq }, ...(!isBookable(seq) && { value: '1.00 EUR' }) }),
}

test('machines with newer firmware lose no sale: sales that cannot be booked are stored as copies, and booked after an update', async () => {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 10 : 1)
  const gateway = await aGatewayProcess(database)
  const load = { rate: isFull ? 500 : 250, seconds: isFull ? 20 : 3, itemsPerMessage: 25, dialect }
  const report = await sellThrough({ broker: gateway.mqttUrl, members, ...load }, async ({ over }) => {
    await pause(1_000)
    over()
    await gateway.kill('SIGKILL')
    await gateway.start()
  })
  const keptItems = members.reduce((sum, { lastSeq }) => sum + Math.floor(lastSeq / 3), 0)
  // More than the hourly limit of a gateway for noise.
  expect(keptItems / members.length).toBeGreaterThan(200)
  await expectNothingLost(
    'newer firmware: unknown fields, a third cannot be booked, gateway killed',
    database,
    report,
    keptItems,
  )
  const serials = members.map(({ serial }) => serial)
  const [beside] = await database.admin<{ fields: number }>(
    'select count(*)::int as fields from unknown_fields join machines m on m.id = machine_id where m.serial = any($1)',
    [serials],
  )
  expect(beside?.fields).toBe(report.sent - keptItems)

  const mended = 50
  await database.admin(
    `update dead_letters set replay_requested_at = now(), replay_requested_by = 'Support',
       payload = convert_to(replace(convert_from(payload, 'UTF8'), '"1.00 EUR"', '100'), 'UTF8')
     where id in (select id from dead_letters where serial = any($1) order by seq desc limit $2)`,
    [serials, mended],
  )
  const booked = async () =>
    (
      await database.admin<{ n: number }>(
        `select count(*)::int as n from dead_letters l join transactions t on t.machine_id = l.machine_id and t.seq = l.seq
         where l.serial = any($1) and l.replay_outcome = 'stored' and t.value = 100`,
        [serials],
      )
    )[0]?.n
  await expect.poll(booked, { timeout: 30_000 }).toBe(mended)
})
