import { randomUUIDv7 } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { countedAmounts } from '#database/sums/counted-amounts.ts'
import { dueDays } from '#database/sums/sum-up.ts'
import { storeOpenGroupSums, storeOpenMachineSums } from '#demo/history/store-sums.ts'
import { workRollups } from '#server/worker/rollups.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { noteFinding } from './findings.ts'
import { aServerProcess, breakablePostgres, doorsOf, expectSoon, isFull } from './harness.ts'

const place = breakablePostgres()
const rows = isFull ? 400_000 : 60_000
const sales = isFull ? 400_000 : 20_000
const kills = isFull ? 3 : 1

/** A merchant with many sales, and a user's order for a file of all of them. */
async function anOrder() {
  const { admin } = place.database
  const { id: merchantId } = await aMerchant(place.database)
  const machine = await aMachine(place.database, merchantId)
  const user = await aUser(place.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  await admin(
    `insert into transactions (merchant_id, created_at, id, machine_id, saved_at, type, media_type, media_source, free_sale,
       error_sale, value, value_charge, product)
     select $1, now() - n * interval '1 second', gen_random_uuid(), $2, now(), 1, 1, 1, false, false, n, 0, 'P' || n
     from generate_series(1, $3) n`,
    [merchantId, machine.id, rows],
  )
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const ordered = {
    list: 'transactions',
    format: 'csv',
    columns: ['createdAt', 'product', 'value'],
    filter: { startDate: day(-30), endDate: day(1) },
    language: 'en',
  }
  const id = randomUUIDv7()
  await admin(
    `insert into exports (id, user_id, merchant_id, role, scope, ordered, status, created_at)
     values ($1, $2, $3, $4, $5, $6, 'waiting', now())`,
    [id, user.id, merchantId, user.role, JSON.stringify([{ merchantId, groups: 'all' }]), JSON.stringify(ordered)],
  )
  await admin('select queue_export($1)', [id])
  return id
}

test('another worker finishes the job of a killed worker once', async () => {
  const { database } = place
  const folder = await mkdtemp(join(tmpdir(), 'gettone-worker-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const begun = () => readdir(join(folder, 'blobs', 'exports')).catch(() => [])
  const aWorker = () => aServerProcess('worker', database, { DATA_DIR: folder })
  let worker = await aWorker()
  const id = await anOrder()
  let killedAt = 0
  for (let time = 1; time <= kills; time++) {
    await expect.poll(begun, { timeout: 60_000, interval: 5 }).toContain(`${id}-${time}.part`)
    // Hold the job until another worker runs, so that the kill hits it during the job.
    worker.freeze()
    const other = await aWorker()
    killedAt = performance.now()
    await worker.kill('SIGKILL')
    worker = other
  }
  const stateOf = async () =>
    (await database.admin('select status, attempt, written, blob from exports where id = $1', [id]))[0]
  expect(await stateOf()).toMatchObject({ status: 'running' })
  await expect.poll(async () => (await stateOf())?.status, { timeout: 90_000 }).toBe('done')
  const recoverySeconds = (performance.now() - killedAt) / 1000

  expect(await stateOf()).toMatchObject({
    attempt: kills + 1,
    written: String(rows),
    blob: `exports/${id}-${kills + 1}`,
  })
  const lines = (await readFile(join(folder, 'blobs', 'exports', `${id}-${kills + 1}`), 'utf8')).trim().split('\n')
  const products = lines.slice(1).flatMap((line) => /P\d+/.exec(line)?.[0] ?? [])
  const distinct = new Set(products).size
  noteFinding({
    fault: `kill -9 of the worker during a job, ${kills} times`,
    load: `an export of ${rows} rows`,
    acknowledged: products.length,
    missing: rows - distinct,
    twice: products.length - distinct,
    wrongHours: null,
    recoverySeconds,
  })
  expect([products.length, distinct]).toEqual([rows, rows])
  expectSoon(recoverySeconds)
  // The queue is empty.
  expect(await database.admin(`select from graphile_worker._private_jobs where key = $1`, [`export:${id}`])).toEqual([])
})

/** A merchant with weeks of sales and their hourly sums, without daily sums. */
async function weeksOfSales() {
  const { admin } = place.database
  const { id: merchantId } = await aMerchant(place.database)
  for (let machines = 0; machines < 10; machines++) await aMachine(place.database, merchantId)
  await admin(
    `insert into transactions (merchant_id, created_at, id, machine_id, saved_at, type, media_type, media_source, free_sale,
       error_sale, value, value_charge, product)
     select $1, now() - interval '2 days' - n * interval '20 days' / $2, gen_random_uuid(), m.id, now(), 1, 1, 1, false, n % 50 = 0,
       n % 300, 0, 'P' || n % 7
     from (select id, row_number() over (order by id) as number from machines where merchant_id = $1) m
     join generate_series(1, $2) n on n % 10 + 1 = m.number`,
    [merchantId, sales],
  )
  const hours = `(
    select '${merchantId}'::uuid as merchant_id, (h.hour at time zone 'Europe/Rome')::date as day, h.*
    from (
      select machine_id, date_trunc('hour', created_at, 'Europe/Rome') as hour, type, media_type, media_source, -1 as price_table, product,
        ${countedAmounts('t')}
      from transactions t where merchant_id = '${merchantId}' group by 1, 2, 3, 4, 5, 6, 7
    ) h)`
  await storeOpenMachineSums({ query: admin }, hours)
  await storeOpenGroupSums({ query: admin }, hours)
  return merchantId
}

/** Blocks a process after it has written a day's sums and before it commits, until the returned function is called. */
async function holdDay(merchantId: string, day: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: place.database.url })
  await client.connect()
  await client.query('begin')
  await client.query('insert into summed_days (merchant_id, day, summed_at) values ($1, $2, now())', [merchantId, day])
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

test('if a worker is killed while it sums up days, another worker finishes them, and the sums match a recount', async () => {
  const { database } = place
  let worker = await aServerProcess('worker', database)
  const doors = await doorsOf(database.url)
  const merchantId = await weeksOfSales()
  const due = async () => (await dueDays(doors, new Date(), 1000)).filter((each) => each.merchantId === merchantId)
  const days = (await due()).map(({ day }) => day)
  expect(days.length).toBeGreaterThan(15)
  const isHeld = async () =>
    (await database.admin(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%summed_days%'`))
      .length
  const held = Array.from({ length: kills }, (_, time) => days[Math.floor((days.length * (time + 1)) / (kills + 1))])
  const releases: (() => Promise<void>)[] = []
  for (const day of held) releases.push(await holdDay(merchantId, day ?? ''))
  await database.admin(`select graphile_worker.add_job('sumUpDays', queue_name := 'sumUpDays')`)

  let killedAt = 0
  for (const release of releases) {
    await expect.poll(isHeld, { timeout: 90_000, interval: 20 }).toBe(1)
    const other = await aServerProcess('worker', database)
    killedAt = performance.now()
    await worker.kill('SIGKILL')
    await release()
    worker = other
  }
  await expect.poll(due, { timeout: 90_000 }).toEqual([])
  const recoverySeconds = (performance.now() - killedAt) / 1000

  const different: string[] = []
  const counted: string[] = []
  for await (const each of workRollups(doors, { merchantId, isCheck: true }, new Date())) {
    counted.push(each.day)
    if (each.different.length > 0) different.push(`${each.day}: ${each.different.join(', ')}`)
  }
  const [sums] = await database.admin<{ sold: number }>(
    `select (select sum(count)::int from sales_daily where merchant_id = $1) as sold`,
    [merchantId],
  )
  const { sold = 0 } = sums ?? {}
  noteFinding({
    fault: `kill -9 of the worker while it sums up days, ${kills} times`,
    load: `${days.length} days of ${sales} sales`,
    acknowledged: sold,
    missing: Math.max(0, sales - sold),
    twice: Math.max(0, sold - sales),
    wrongHours: different.length,
    recoverySeconds,
  })
  expect({ different, sold }).toEqual({ different: [], sold: sales })
  expect(counted).toEqual(expect.arrayContaining(days))
  expectSoon(recoverySeconds)
})
