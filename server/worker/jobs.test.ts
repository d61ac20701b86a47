import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { startJobs } from './jobs.ts'

/** A worker whose task counts its runs. */
async function aWorker(database: TestDatabase, meanwhile: () => Promise<void> = async () => {}) {
  const counts = { runs: 0 }
  const tasks = {
    count: async () => {
      counts.runs += 1
      await meanwhile()
    },
  }
  const jobs = await startJobs(database.adminUrl, pino({ level: 'silent' }), [{ tasks }])
  onTestFinished(() => jobs.stop())
  const add = () => database.admin(`select graphile_worker.add_job('count', job_key := 'one')`)
  const left = async () => (await database.admin('select 1 from graphile_worker._private_jobs')).length
  const backends = (name: string) =>
    database.admin<{ pid: number; wait: string | null }>(
      `select pid, wait_event_type as wait from pg_stat_activity where application_name = $1 and datname = current_database()`,
      [name],
    )
  return { counts, add, left, backends }
}

test('a worker that cannot record the end of a job keeps running and repeats the job', async () => {
  const database = await aDatabase()
  const holder = new pg.Client({ connectionString: database.adminUrl })
  await holder.connect()
  onTestFinished(() => holder.end())
  let isHeld = false
  // From here on the job's row cannot be deleted.
  const hold = async () => {
    if (isHeld) return
    isHeld = true
    await holder.query('begin')
    await holder.query('select 1 from graphile_worker._private_jobs for key share')
  }
  const { counts, add, left, backends } = await aWorker(database, hold)
  await add()
  const waiting = async () => (await backends('gettone_worker')).filter(({ wait }) => wait === 'Lock').length
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
  await database.admin(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'gettone_worker' and datname = current_database() and wait_event_type = 'Lock'`,
  )
  await holder.query('rollback')
  await expect.poll(left, { timeout: 30_000 }).toBe(0)
  expect(counts.runs).toBe(2)
})

test('a worker whose connections all break reconnects each of them and continues', async () => {
  const database = await aDatabase()
  const { counts, add, left, backends } = await aWorker(database)
  const names = ['gettone_worker', 'gettone_worker_life']
  for (let time = 0; time < 3; time++) {
    const ended = await database.admin<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity
       where application_name = any($1) and datname = current_database()`,
      [names],
    )
    // A backend may still lock a job before it ends, without its worker knowing.
    const isThere = async () =>
      (await Promise.all(names.map(backends))).flat().some(({ pid }) => ended.some((one) => one.pid === pid))
    await expect.poll(isThere, { timeout: 5_000 }).toBe(false)
    await expect.poll(() => backends('gettone_worker_life'), { timeout: 5_000 }).toHaveLength(1)
  }
  await add()
  await expect.poll(left, { timeout: 30_000 }).toBe(0)
  expect(counts.runs).toBe(1)
  expect(await backends('gettone_worker_life')).toHaveLength(1)
  expect((await backends('gettone_worker')).length).toBeLessThanOrEqual(8)
})
