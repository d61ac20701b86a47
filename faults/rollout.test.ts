import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aRunningRollout } from '#testkit/nouns/rollouts.ts'
import { aFirmware, reportsVersion, withFile } from '#testkit/nouns/updates.ts'
import { aServerProcess, breakablePostgres, doorsOf } from './harness.ts'

const place = breakablePostgres()

test('a worker that is killed while a cohort is decided has sent nothing, and the next one sends once', async () => {
  const { admin, url } = place.database
  // Its first start sets the passwords of the roles.
  const worker = await aServerProcess('worker', place.database)
  await worker.kill('SIGKILL')
  const database = place.database as unknown as TestDatabase
  const { id: merchantId } = await aMerchant(database)
  const machines = await Promise.all(Array.from({ length: 5 }, () => aMachine(database, merchantId)))
  for (const machine of machines) await reportsVersion(database, machine, '1.0.0.0')
  const release = '2.0.0.1'
  const firmwareId = await aFirmware(database, { release, deviceTypes: ['AZVT'] })
  await withFile(database, 'firmwares', firmwareId)
  const doors = await doorsOf(url)
  const target = { by: 'deviceTypes' as const, deviceTypes: ['AZVT' as const] }
  await aRunningRollout(doors, { merchantId, firmwareId, release, target })

  const sent = () => admin(`select id from remote_commands where merchant_id = $1 and type = 11`, [merchantId])
  const states = async () => {
    const rows = await admin<{ state: string }>('select state from rollout_machines where merchant_id = $1', [
      merchantId,
    ])
    return rows.map(({ state }) => state).toSorted()
  }
  const decideNow = () => admin(`select graphile_worker.add_job('runRollouts')`)
  // The decision waits with its commands: the kill hits it in the middle.
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin; lock table remote_commands in share row exclusive mode')
  await worker.start()
  await decideNow()
  const waits = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query ilike 'insert into "remote_commands"%'`
  await expect.poll(async () => (await admin(waits)).length, { timeout: 60_000 }).toBeGreaterThan(0)
  await worker.kill('SIGKILL')
  await holder.query('rollback')
  await expect.poll(async () => (await admin(waits)).length, { timeout: 20_000 }).toBe(0)
  expect(await sent()).toEqual([])
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'waiting'])

  await worker.start()
  await decideNow()
  await expect.poll(async () => (await sent()).length, { timeout: 90_000 }).toBe(1)
  for (let again = 0; again < 3; again++) {
    await decideNow()
    await new Promise((done) => setTimeout(done, 1_500))
  }
  expect(await sent()).toHaveLength(1)
  expect(await states()).toEqual(['sent', 'waiting', 'waiting', 'waiting', 'waiting'])
}, 240_000)
