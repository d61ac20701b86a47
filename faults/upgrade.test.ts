import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { aUserWithPassword, password } from '#testkit/browser/sign-in.ts'
import type { TestDatabase } from '#testkit/database.ts'
import { aMachine } from '#testkit/fixtures.ts'
import { aMosquitto } from '#testkit/machines/mosquitto.ts'
import { aRunningRollout } from '#testkit/nouns/rollouts.ts'
import { aFirmware, reportsVersion, withFile } from '#testkit/nouns/updates.ts'
import { signIn } from '../bench/client.ts'
import { ensurePortal } from '../scripts/portal-build.ts'
import {
  aLoadFleet,
  aServerProcess,
  breakablePostgres,
  doorsOfOwner,
  expectNothingLost,
  isFull,
  type ServerProcess,
  sellThrough,
} from './harness.ts'
import { aProxy, readPage, watchLive } from './page.ts'
import { formerRelease, releaseFolder } from './release.ts'

const place = breakablePostgres({ isEmpty: true })
const rate = isFull ? 200 : 50
const root = `${import.meta.dirname}/..`
beforeAll(() => {
  if (!ensurePortal()) throw new Error('The portal could not be built')
}, 300_000)

test('a release that is not there ends the test with a sentence', () => {
  expect(() => releaseFolder('v0.0.0')).toThrow('This repository has no release "v0.0.0"')
})

test('all processes are changed for the next version while machines sell, a page is open and a rollout runs, and none is refused', async () => {
  const { database } = place
  const { admin } = database
  const former = releaseFolder(formerRelease)
  const worker = await aServerProcess('worker', database, {}, former)
  await admin(`select ensure_partitions(now() - interval '40 days', now() + interval '40 days')`)
  const members = await aLoadFleet(database, isFull ? 50 : 10)
  // Features of the next version are switched on when all processes are of it.
  const { features } = await import(`${former}/contract/vocabulary/feature.ts`)
  await admin('update merchant_features set features = $1', [features])
  const broker = await aMosquitto(members)
  const gateways = await Promise.all(
    ['one', 'two'].map((name) =>
      aServerProcess('gateway', database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: name }, former),
    ),
  )
  const apis: ServerProcess[] = []
  const url = await aProxy(() => apis.map((api) => api.url))
  for (let count = 0; count < 2; count++) apis.push(await aServerProcess('api', database, { PUBLIC_URL: url }, former))
  const otherWorker = await aServerProcess('worker', database, {}, former)

  const doors = doorsOfOwner(database.url)
  const [merchant] = await admin<{ id: string }>('select merchant_id as id from machines limit 1')
  const merchantId = merchant?.id ?? ''
  const person = await aUserWithPassword({ ...doors, admin }, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const headers = { authorization: `Bearer ${await signIn(url, { email: person.email, password })}` }
  const live = watchLive(url, headers)
  const page = readPage(url, headers)

  const owned = database as unknown as TestDatabase
  const idle = await Promise.all(Array.from({ length: 5 }, () => aMachine(database, merchantId)))
  for (const machine of idle) await reportsVersion(owned, machine, '1.0.0.0')
  const release = '2.0.0.1'
  const firmwareId = await aFirmware(database, { release, deviceTypes: ['AZVT'] })
  await withFile(owned, 'firmwares', firmwareId)
  const target = { by: 'deviceTypes' as const, deviceTypes: ['AZVT' as const] }
  await aRunningRollout(doors, { merchantId, firmwareId, release, target })
  const sent = async () =>
    (await admin('select id from remote_commands where merchant_id = $1 and type = 11', [merchantId])).length
  const migrations = async () =>
    Number((await admin<{ count: string }>('select count(*) from migrations'))[0]?.count ?? 0)
  const before = await migrations()

  const load = { broker: broker.url, members, rate, seconds: 6, patienceSeconds: 60 }
  const report = await sellThrough(load, async ({ over, caughtUp }) => {
    const change = async (server: ServerProcess | undefined, folder: string) => {
      await caughtUp()
      over()
      await server?.kill('SIGTERM')
      await server?.start(folder)
      await admin(`select graphile_worker.add_job('runRollouts')`)
      await admin(`select graphile_worker.add_job('sumUpDays', queue_name := 'sumUpDays')`)
    }
    await admin(`select graphile_worker.add_job('runRollouts')`)
    await expect.poll(sent, { timeout: 30_000 }).toBe(1)
    // The new version meets the schema of the version before, and adds to it under load.
    await change(worker, root)
    expect(await migrations()).toBeGreaterThan(before)
    // The version before meets the new schema, in processes that run and in processes that start.
    for (const server of [gateways[0], apis[0]]) await change(server, former)
    await pause(1_000)
    for (const server of [...gateways, ...apis, otherWorker]) await change(server, root)
    const since = performance.now()
    await expect.poll(() => live.lastAt, { timeout: 30_000 }).toBeGreaterThan(since)
  })
  await expectNothingLost(`rolling change of all processes from ${formerRelease}`, database, report)
  expect(await admin('select reason, count(*) from dead_letters group by 1')).toEqual([])
  expect(await sent()).toBe(1)
  expect(page.read).toBeGreaterThan(10)
  expect(page.refused).toEqual([])
})
