import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { aUserWithPassword, password } from '#testkit/browser/sign-in.ts'
import { aMosquitto } from '#testkit/machines/mosquitto.ts'
import { signIn } from '../bench/client.ts'
import { ensurePortal } from '../scripts/portal-build.ts'
import {
  aLoadFleet,
  aServerProcess,
  breakablePostgres,
  doorsOf,
  expectNothingLost,
  expectSoon,
  isFull,
  sellThrough,
} from './harness.ts'
import { aProxy, readPage } from './page.ts'

const place = breakablePostgres()
const rate = isFull ? 200 : 50
beforeAll(() => {
  if (!ensurePortal()) throw new Error('The portal could not be built')
}, 300_000)

/** Seconds from the end of a fault until 95 % of the rate are stored within one second. */
function secondsToRate(end: number, stored: readonly number[]): number {
  const after = stored.filter((at) => at >= end).toSorted((one, other) => one - other)
  const enough = Math.ceil(rate * 0.95)
  const first = after.findIndex((at, index) => (after[index + enough - 1] ?? Number.POSITIVE_INFINITY) - at <= 1_000)
  return first < 0 ? Number.POSITIVE_INFINITY : ((after[first] as number) - end) / 1000
}

test('each process of two per role, the broker and the database are killed in turn, and the others serve machines and users', async () => {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 100 : 10)
  const broker = await aMosquitto(members)
  const urls: string[] = []
  const url = await aProxy(() => urls)
  const apis = await Promise.all(['one', 'two'].map(() => aServerProcess('api', database, { PUBLIC_URL: url })))
  urls.push(...apis.map((api) => api.url))
  const gateways = await Promise.all(
    ['one', 'two'].map((name) =>
      aServerProcess('gateway', database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: name }),
    ),
  )
  const workers = await Promise.all(['one', 'two'].map(() => aServerProcess('worker', database)))
  const [merchant] = await database.admin<{ id: string }>('select merchant_id as id from machines limit 1')
  const doors = await doorsOf(database.url)
  const person = await aUserWithPassword({ ...doors, admin: database.admin }, 'merchantAdmin', [
    { merchantId: merchant?.id ?? '', groups: 'all' },
  ])
  const headers = { authorization: `Bearer ${await signIn(url, { email: person.email, password })}` }
  const page = readPage(url, headers)

  const kills = [
    ...[...apis, ...gateways, ...workers].map((server) => async () => {
      await server.kill('SIGKILL')
      await server.start()
    }),
    () => broker.killAndRestart(),
  ]
  const ends: number[] = []
  const stored: number[] = []
  let refusedByKills = 0
  const load = { broker: broker.url, members, rate, seconds: 6, patienceSeconds: 90 }
  const report = await sellThrough(
    { ...load, onStored: (_soldAt, storedAt) => void stored.push(storedAt) },
    async ({ over, caughtUp }) => {
      const cause = async (fault: () => Promise<void>) => {
        await caughtUp()
        await pause(Math.random() * 1_000)
        over()
        ends.push(performance.now())
        await fault()
      }
      for (const kill of kills) await cause(kill)
      refusedByKills = page.refused.length
      await cause(() => database.killAndRestart())
      await caughtUp()
    },
  )
  await expectNothingLost('kill -9 of each process in turn: two per role, Mosquitto, PostgreSQL', database, report)
  // One of two always serves, so an open page waits at most; without a database nothing answers.
  expect(page.read).toBeGreaterThan(10)
  expect(refusedByKills).toBe(0)
  const toRate = ends.map((end) => secondsToRate(end, stored))
  expect(toRate.length).toBe(kills.length + 1)
  for (const seconds of toRate) expect(seconds).toBeLessThan(Number.POSITIVE_INFINITY)
  expectSoon(Math.max(...toRate))
})
