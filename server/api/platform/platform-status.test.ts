import { randomUUID } from 'node:crypto'
import { makeWorkerUtils } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { noteDisk } from '#database/platform/platform-figures.ts'
import { watchDisk } from '#server/watching/disk.ts'
import { watchStatementTimes } from '#server/watching/slow-statements.ts'
import { graphileLog } from '#server/worker/log.ts'
import { mailStaff } from '#server/worker/staff-mails.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { nodeUrls } from '#testkit/cluster/nodes.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aDeadLetter } from '#testkit/machines/machine-data.ts'
import { aWebhook, aWebhookMessage } from '#testkit/nouns/webhooks.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const day = 86_400_000
const statusNow = async () => {
  const provider = await aUser(api.database, 'superAdmin', [])
  return api.as(provider).getPlatformStatus({})
}
const figures = async () => {
  const { figures: all } = await statusNow()
  return Object.fromEntries(all.map((one) => [one.name, one]))
}

test('it is for the provider alone', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  await expect(admin.getPlatformStatus({})).rejects.toMatchObject({ code: 'Forbidden' })
})

test('what waits and what failed is counted and judged', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const before = await figures()
  expect(before.workers).toMatchObject({ count: 0, state: 'critical' })
  expect(before.monthsAhead?.count).toBeGreaterThan(0)
  expect(before.schema?.text).toMatch(/^\d{4}_/)
  const webhook = await aWebhook(api.database, merchantId, { url: 'http://127.0.0.1:9/', events: ['sale.made'] })
  await aWebhookMessage(api.database, { merchantId, webhookId: webhook.id, state: 'waiting' })
  await api.database.admin('update webhooks set failing_since = now(), failures = 3 where id = $1', [webhook.id])
  await aDeadLetter(api.database, await aMachine(api.database, merchantId))
  await api.database.admin('insert into worker_processes (id, worker_ids, started_at) values ($1, $2, now())', [
    randomUUID(),
    [],
  ])
  const after = await figures()
  const grew = (name: string) => (after[name]?.count ?? 0) - (before[name]?.count ?? 0)
  expect(['webhookMessages', 'failingWebhooks', 'deadLetters', 'workers'].map(grew)).toEqual([1, 1, 1, 1])
  expect([after.failingWebhooks?.state, after.deadLetters?.state, after.workers?.state]).toEqual([
    'warning',
    'warning',
    'ok',
  ])
})

test('a job is given up when its attempts are used and it does not run', async () => {
  const utils = await makeWorkerUtils({
    connectionString: api.database.adminUrl,
    logger: graphileLog(pino({ level: 'silent' })),
  })
  await utils.migrate()
  const job = async (columns: string) => {
    const { id } = await utils.addJob('nothing', {}, { maxAttempts: 1 })
    await api.database.admin(`update graphile_worker._private_jobs set ${columns} where id = $1`, [id])
  }
  await job('attempts = 0')
  await job(`attempts = 1, locked_at = now(), locked_by = 'a worker'`)
  await job('attempts = 1')
  await utils.release()
  const { jobs, failedJobs } = await figures()
  expect([jobs?.count, failedJobs?.count, failedJobs?.state]).toEqual([1, 1, 'warning'])
})

/** A status of the server whose limit for slow statements is this one. */
async function slowAt(ms: number) {
  const server = await openTestApi({ SLOW_STATEMENT_MS: String(ms) }, api.database)
  onTestFinished(() => server.close())
  const watch = watchStatementTimes(api.database, ms, pino({ level: 'silent' }))
  onTestFinished(() => watch.stop())
  const provider = await aUser(api.database, 'superAdmin', [])
  return async () => (await server.as(provider).getPlatformStatus({})).slow
}

test('statements that a process waited long for are shown without their values', async () => {
  const read = await slowAt(40)
  const wait = (text: string, seconds: number) =>
    api.database.withSystem('health', (db) => sql`select pg_sleep(${seconds}), ${text}::text as said`.execute(db))
  await wait('Anna', 0.05)
  await wait('Bert', 0.1)
  await wait('Carl', 0)
  const { source, fromMs, statements } = await read()
  expect([source, fromMs]).toEqual(['program', 40])
  const [slow] = statements.filter(({ text }) => text.includes('pg_sleep'))
  expect(slow).toMatchObject({ text: 'select pg_sleep($), $::text as said', count: 2, last: expect.any(String) })
  expect(slow?.maximumMs).toBeGreaterThanOrEqual(100)
  expect(slow?.meanMs).toBeLessThan(slow?.maximumMs ?? 0)
  expect(JSON.stringify(statements)).not.toMatch(/Anna|Bert|Carl/)
})

// The servers of several nodes load what their owner has set.
test.skipIf(nodeUrls.length > 0)('with pg_stat_statements, PostgreSQL counts all runs of such statements', async () => {
  const { admin } = api.database
  await admin('create schema statement_statistics')
  await admin('create extension pg_stat_statements with schema statement_statistics')
  onTestFinished(async () => {
    await admin('drop schema statement_statistics cascade')
  })
  const client = new pg.Client(api.database.adminUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`set pg_stat_statements.track = 'top'`)
  await client.query(`select pg_sleep(0.06), 'Dora' as name`)
  await client.query(`select pg_sleep(0.001), 'Emil' as name`)
  await client.query('select 1 as quick')
  const read = await slowAt(50)
  const { source, statements } = await read()
  expect(source).toBe('database')
  const [slow, ...others] = statements.filter(({ text }) => text.includes('pg_sleep'))
  expect(slow).toMatchObject({ text: 'select pg_sleep($), $ as name', count: 2 })
  expect(others).toEqual([])
  expect(JSON.stringify(statements)).not.toMatch(/Dora|Emil|quick/)
})

test('a disk has a forecast, and the provider gets one mail for each share and month', async () => {
  const boss = await aUser(api.database, 'superAdmin', [])
  const begin = Date.UTC(2026, 9, 1)
  const total = 1_000_000
  const fillTo = (used: number, at: number) =>
    watchDisk(api.database, { DATA_DIR: '.data' }, new Date(at), async (_, now) => ({ at: now, used, total }))
  for (let hours = 0; hours <= 24 * 20; hours += 12)
    await fillTo(600_000 + (hours / 24) * 5_000, begin + hours * 3_600_000)
  const [disk] = (await statusNow()).disks
  expect(disk).toMatchObject({ state: 'ok', used: 700_000, total })
  expect([disk?.perDay, disk?.days80, disk?.days90].map((value) => Math.round(value ?? 0))).toEqual([5_000, 20, 40])
  const sent: { to: string; subject: string; text: string }[] = []
  const mail = { send: async (message: { to: string; subject: string; text: string }) => void sent.push(message) }
  const config = { publicUrl: 'https://portal.example.com', NO_DATA_MINUTES: 60 }
  for (const [used, days] of [
    [790_000, 21],
    [810_000, 22],
    [820_000, 23],
    [910_000, 24],
    [920_000, 25],
  ] as const) {
    await fillTo(used, begin + days * day)
    await mailStaff({ doors: api.database, mail, config }, new Date(begin + days * day))
  }
  const own = sent.filter(({ to }) => to === boss.email)
  expect(own).toHaveLength(2)
  expect(own[1]?.subject).toContain('91')
  expect(own[1]?.text).toContain('https://portal.example.com/admin/status')
})

test('samples are kept for four weeks', async () => {
  const now = Date.UTC(2027, 0, 1)
  const note = (days: number) => noteDisk(api.database, 'here', { at: new Date(now - days * day), used: 1, total: 2 })
  for (const days of [40, 20, 0]) await note(days)
  expect(await api.database.admin(`select 1 from disk_samples where place = 'here'`)).toHaveLength(2)
})
