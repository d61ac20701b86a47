import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { removeEmbeddedPostgres, runningEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { serverRoles } from '#server/start.ts'
import { workerConnections } from '#server/worker/jobs.ts'
import { aFreePort } from '#testkit/browser/portal.ts'
import { aUserWithPassword, password } from '#testkit/browser/sign-in.ts'
import { signIn } from '../bench/client.ts'
import { ensurePortal } from '../scripts/portal-build.ts'
import {
  aLoadFleet,
  aServerProcess,
  type BreakablePostgres,
  breakablePostgres,
  doorsOf,
  expectNothingLost,
  isFull,
  type ServerProcess,
  sellThrough,
} from './harness.ts'
import { watchLive } from './page.ts'

const place = breakablePostgres()
beforeAll(() => {
  if (!ensurePortal()) throw new Error('The portal could not be built')
}, 300_000)

const rate = isFull ? 100 : 50
const machines = isFull ? 50 : 10
/** The pools of doors and the worker's, the worker's lock and the live hints. */
const pool = 8
const mostConnections = pool + 5 + workerConnections + 1 + 1
/** The promised recovery time of a process after its database is back, on a machine without other work, which the short form may have. */
const wellWithinSeconds = isFull ? 10 : 30

type Owned = Pick<BreakablePostgres, 'admin'>

/** API, gateway and worker in one process, with selling machines and an API client. */
async function aProduct(database: Owned & { url: string }, server: ServerProcess, mqttPort: number) {
  const members = await aLoadFleet(database, machines)
  const [merchant] = await database.admin<{ id: string }>('select merchant_id as id from machines where serial = $1', [
    members[0]?.serial,
  ])
  const person = await aUserWithPassword({ ...(await doorsOf(database.url)), admin: database.admin }, 'merchantAdmin', [
    { merchantId: merchant?.id ?? '', groups: 'all' },
  ])
  const token = await signIn(server.url, { email: person.email, password })
  const headers = { authorization: `Bearer ${token}` }
  const hints = watchLive(server.url, headers)

  /**
   * Resolves once, after this call, the API has answered, the worker has worked, and a hint of a sale has arrived. Returns
   * the duration.
   */
  async function untilWell(): Promise<number> {
    const since = performance.now()
    const soon = { timeout: 60_000, interval: 100 }
    const name = `well ${since}`
    const worked = async () => {
      const isAdded = () =>
        database.admin(`select graphile_worker.add_job('purgeIdentityState', job_key := $1)`, [name]).then(
          () => true,
          () => false,
        )
      await expect.poll(isAdded, soon).toBe(true)
      const left = () => database.admin('select from graphile_worker._private_jobs where key = $1', [name])
      await expect.poll(left, soon).toEqual([])
    }
    const answered = async () => {
      const status = async () =>
        (await fetch(`${server.url}/api/v1/users/me/merchants`, { headers }).catch(() => undefined))?.status
      await expect.poll(status, soon).toBe(200)
    }
    const hinted = async () => {
      await expect.poll(() => hints.lastAt, soon).toBeGreaterThan(since)
    }
    await Promise.all([answered(), hinted(), worked()])
    return (performance.now() - since) / 1000
  }
  const connections = async () =>
    Number(
      (
        await database.admin<{ count: string }>(
          `select count(*) from pg_stat_activity where application_name like 'gettone\\_%' and pid <> pg_backend_pid()`,
        )
      )[0]?.count,
    )
  return { members, broker: `mqtt://127.0.0.1:${mqttPort}`, untilWell, connections }
}

const descriptorsOf = (server: ServerProcess) => readdirSync(`/proc/${server.pid()}/fd`).length

/** Listens in place of the database and counts connection attempts, without ever answering. */
async function countAttempts(port: number) {
  const at: number[] = []
  const server = createServer((socket) => {
    at.push(performance.now())
    socket.on('error', () => {})
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    /** Attempts in the last `seconds`. */
    within: (seconds: number) => at.filter((each) => each > performance.now() - seconds * 1000).length,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/**
 * The database goes away while machines sell, and returns. Afterwards everything recovers soon, with no more connections
 * than before.
 */
async function survive(fault: string, away: (database: BreakablePostgres) => Promise<void>) {
  const { database } = place
  const mqttPort = await aFreePort()
  const server = await aServerProcess(serverRoles, database, {
    MQTT_PORT: String(mqttPort),
    DATABASE_POOL: String(pool),
  })
  const { members, broker, untilWell, connections } = await aProduct(database, server, mqttPort)
  let wellSeconds = 0
  let descriptors = 0
  const report = await sellThrough({ broker, members, rate, seconds: 4, patienceSeconds: 60 }, async ({ over }) => {
    await pause(2_000)
    await untilWell()
    descriptors = descriptorsOf(server)
    await away(database)
    over()
    wellSeconds = await untilWell()
  })
  const recoverySeconds = Math.max(wellSeconds, report.recoverySeconds ?? 0)
  await expectNothingLost(fault, database, { ...report, recoverySeconds })
  // The frozen database ends abandoned connections late.
  await expect.poll(connections).toBeLessThanOrEqual(mostConnections)
  // A pool may have grown to its limit meanwhile.
  expect(descriptorsOf(server)).toBeLessThanOrEqual(descriptors + mostConnections)
  expect(wellSeconds).toBeLessThanOrEqual(wellWithinSeconds)
}

test.each(isFull ? [8, 30, 120] : [10])(
  'the product recovers after its database was down for %i s, without frequent connection attempts',
  async (seconds) => {
    await survive(`PostgreSQL killed and down for ${seconds} s, all roles in one process`, async (database) => {
      await database.kill()
      const attempts = await countAttempts(database.port)
      await pause(seconds * 1000)
      // A loop that doubles with each failure makes hundreds of attempts in the eighth second.
      const late = attempts.within(3)
      await attempts.close()
      await database.start()
      expect(late).toBeGreaterThan(0)
      expect(late / 3).toBeLessThan(15)
    })
  },
)

test.each(isFull ? [8, 30, 120] : [6])(
  'the whole product continues after its database was frozen for %i s',
  async (seconds) => {
    await survive(`PostgreSQL frozen for ${seconds} s, all roles in one process`, async (database) => {
      database.freeze()
      await pause(seconds * 1000).finally(database.thaw)
    })
  },
)

test('the product restarts a killed embedded PostgreSQL and continues', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gettone-embedded-'))
  const dataDir = join(folder, 'postgres')
  onTestFinished(async () => {
    await removeEmbeddedPostgres(dataDir)
    await rm(folder, { recursive: true, force: true })
  })
  const mqttPort = await aFreePort()
  const environment = { DATA_DIR: folder, MQTT_PORT: String(mqttPort), DATABASE_POOL: String(pool) }
  const server = await aServerProcess(serverRoles, undefined, environment)
  onTestFinished(() => server.kill('SIGTERM'))
  const url = runningEmbeddedPostgres(dataDir) ?? ''
  const owner = new pg.Pool({ connectionString: url, max: 2 })
  owner.on('error', () => {})
  onTestFinished(() => owner.end())
  const admin: Owned['admin'] = async (text, values) => (await owner.query(text, values)).rows
  const { members, broker, untilWell, connections } = await aProduct({ url, admin }, server, mqttPort)
  const kills = isFull ? 3 : 1
  let wellSeconds = 0
  const report = await sellThrough(
    { broker, members, rate, seconds: 4, patienceSeconds: 60 },
    async ({ over, caughtUp }) => {
      for (let time = 0; time < kills; time++) {
        await caughtUp()
        const [postmaster] = await admin<{ pid: number }>(
          `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
        )
        process.kill(postmaster?.pid ?? 0, 'SIGKILL')
        over()
        wellSeconds = Math.max(wellSeconds, await untilWell())
      }
    },
  )
  const recoverySeconds = Math.max(wellSeconds, report.recoverySeconds ?? 0)
  const fault = `kill -9 of the embedded PostgreSQL, ${kills} times, all roles in one process`
  await expectNothingLost(fault, { admin }, { ...report, recoverySeconds })
  expect(await connections()).toBeLessThanOrEqual(mostConnections)
  expect(wellSeconds).toBeLessThanOrEqual(wellWithinSeconds)
})
