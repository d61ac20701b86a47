import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aGatewayProcess, aLoadFleet, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()
const rate = isFull ? 1_000 : 200

async function aPlace(machines = isFull ? 100 : 20) {
  const { database } = place
  const members = await aLoadFleet(database, machines)
  const gateway = await aGatewayProcess(database)
  return { database, members, gateway, broker: gateway.mqttUrl }
}

test('a gateway that is killed under load, again and again, loses nothing that it acknowledged', async () => {
  const { database, members, gateway, broker } = await aPlace()
  const kills = isFull ? 20 : 2
  const report = await sellThrough({ broker, members, rate, seconds: kills * 3 }, async () => {
    for (let time = 0; time < kills; time++) {
      await pause(1_500 + Math.random() * 1_000)
      await gateway.kill('SIGKILL')
      await gateway.start()
    }
  })
  await expectNothingLost(database, report)
})

test('a gateway that is asked to end under load finishes what it has begun', async () => {
  const { database, members, gateway, broker } = await aPlace()
  const report = await sellThrough({ broker, members, rate, seconds: 5 }, async () => {
    await pause(2_000)
    await gateway.kill('SIGTERM')
    await gateway.start()
  })
  await expectNothingLost(database, report)
})

test('messages that come twice or in disorder count once', async () => {
  const { database, members, broker } = await aPlace()
  const load = { broker, members, rate, seconds: isFull ? 30 : 2, duplicated: 0.1, reordered: 0.1 }
  await expectNothingLost(database, await sellThrough(load, async () => {}))
})

test('machines whose clocks are a day off sell today all the same', async () => {
  const { database, members, broker } = await aPlace()
  for (const clockErrorSeconds of [86_400, -86_400]) {
    const load = { broker, members, rate, seconds: isFull ? 10 : 1, clockErrorSeconds }
    const report = await sellThrough(load, async () => {})
    expect(report.lost).toBe(0)
  }
  const [row] = await database.admin<{ wrong: number }>(
    `select count(*)::int as wrong from transactions t join machines m on m.id = t.machine_id
     where m.serial = any($1) and abs(extract(epoch from t.created_at - t.saved_at)) > 600`,
    [members.map(({ serial }) => serial)],
  )
  expect(row?.wrong).toBe(0)
})

test('all machines come back at once', async () => {
  const { database, members, gateway, broker } = await aPlace(isFull ? 1_000 : 100)
  const report = await sellThrough({ broker, members, rate, seconds: 6 }, async () => {
    await pause(2_000)
    // Every connection breaks in the same moment, and each machine tries again a second later.
    await gateway.kill('SIGKILL')
    await gateway.start()
  })
  await expectNothingLost(database, report)
})
