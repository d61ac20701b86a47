import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { aGatewayProcess, aLoadFleet, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()
const rate = isFull ? 1_000 : 200

async function aPlace() {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 100 : 20)
  const { mqttUrl: broker } = await aGatewayProcess(database)
  return { database, members, broker }
}

test('a PostgreSQL that is killed and starts again has all that was acknowledged', async () => {
  const { database, members, broker } = await aPlace()
  const report = await sellThrough({ broker, members, rate, seconds: isFull ? 20 : 6 }, async () => {
    await pause(2_000)
    await database.killAndRestart()
  })
  await expectNothingLost(database, report)
})

test('a PostgreSQL that stands still for a while is waited for', async () => {
  const { database, members, broker } = await aPlace()
  const frozenMs = isFull ? 30_000 : 3_000
  const report = await sellThrough({ broker, members, rate, seconds: frozenMs / 1000 + 4 }, async () => {
    await pause(2_000)
    database.freeze()
    await pause(frozenMs).finally(database.thaw)
  })
  await expectNothingLost(database, report)
})
