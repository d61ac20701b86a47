import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { aGatewayProcess, aLoadFleet, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()
const rate = isFull ? 500 : 200

async function aPlace() {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 100 : 20)
  const { mqttUrl: broker } = await aGatewayProcess(database)
  return { database, members, broker }
}

test('a killed PostgreSQL has everything that was acknowledged after its restart', async () => {
  const { database, members, broker } = await aPlace()
  const kills = isFull ? 3 : 1
  const report = await sellThrough({ broker, members, rate, seconds: 6 }, async ({ over, caughtUp }) => {
    for (let time = 0; time < kills; time++) {
      await caughtUp()
      over()
      await database.killAndRestart()
    }
  })
  await expectNothingLost(`kill -9 and restart of PostgreSQL, ${kills} times`, database, report)
})

test('the gateway waits for a frozen PostgreSQL', async () => {
  const { database, members, broker } = await aPlace()
  const frozenSeconds = isFull ? 30 : 3
  const report = await sellThrough({ broker, members, rate, seconds: 6 }, async ({ over }) => {
    await pause(2_000)
    database.freeze()
    await pause(frozenSeconds * 1000).finally(database.thaw)
    over()
  })
  await expectNothingLost(`PostgreSQL frozen for ${frozenSeconds} s`, database, report)
})
