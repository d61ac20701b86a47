import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { aMosquitto } from '#testkit/machines/mosquitto.ts'
import { aGatewayProcess, aLoadFleet, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()
const rate = isFull ? 500 : 100

test('a Mosquitto killed under load loses nothing that the machines still have, with two gateways behind it', async () => {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 100 : 10)
  const broker = await aMosquitto(members)
  const gateways = await Promise.all(
    ['one', 'two'].map((name) => aGatewayProcess(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: name })),
  )
  // The machines gradually resend messages that the broker had assigned to the killed gateway.
  const load = { broker: broker.url, members, rate, seconds: isFull ? 20 : 6, patienceSeconds: 90 }
  const report = await sellThrough(load, async ({ over }) => {
    await pause(2_000)
    over()
    await broker.killAndRestart()
    await pause(1_500)
    // The broker holds the messages assigned to the gateway until it is back.
    over()
    await gateways[0]?.kill('SIGKILL')
    await gateways[0]?.start()
  })
  await expectNothingLost('kill -9 of Mosquitto, then of one of two gateways behind it', database, report)
})

test('a gateway that is killed and never restarted strands no message that the broker assigned to it', async () => {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 100 : 10)
  const broker = await aMosquitto(members)
  const [gone] = await Promise.all(
    ['gone', 'left'].map((name) => aGatewayProcess(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: name })),
  )
  const load = { broker: broker.url, members, rate, seconds: isFull ? 20 : 4, patienceSeconds: 60 }
  const report = await sellThrough(load, async ({ over }) => {
    await pause(2_000)
    over()
    await gone?.kill('SIGKILL')
  })
  await expectNothingLost('kill -9 of one of two gateways behind Mosquitto, for good', database, report)
})
