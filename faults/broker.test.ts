import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { aMosquitto } from '#testkit/mosquitto.ts'
import { aGatewayProcess, aLoadFleet, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()
const rate = isFull ? 500 : 100

test('a Mosquitto that is killed under load loses nothing that the machines still hold, with two gateways behind it', async () => {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 100 : 10)
  const broker = await aMosquitto(members)
  const gateways = await Promise.all(
    ['one', 'two'].map((name) => aGatewayProcess(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: name })),
  )
  // What the broker shared out to the killed gateway comes again from the machines, by and by.
  const load = { broker: broker.url, members, rate, seconds: isFull ? 20 : 6, patienceSeconds: 90 }
  const report = await sellThrough(load, async () => {
    await pause(2_000)
    await broker.killAndRestart()
    await pause(1_500)
    // The broker keeps for it what it shares out meanwhile, until it is back.
    await gateways[0]?.kill('SIGKILL')
    await gateways[0]?.start()
  })
  await expectNothingLost(database, report)
})
