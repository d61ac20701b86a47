import { randomUUIDv7 } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { noteFinding } from './findings.ts'
import { aServerProcess, breakablePostgres, isFull } from './harness.ts'

const place = breakablePostgres()
const rows = isFull ? 400_000 : 60_000
const kills = isFull ? 3 : 1

/** A merchant with many sales, and somebody's order of a file of them all. */
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

test('a worker that is killed in mid-job leaves it to another, which does it once', async () => {
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
    // Held still until another is there, so that it dies in mid-job for certain.
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
    fault: `kill -9 of the worker in mid-job, ${kills} times`,
    load: `an export of ${rows} rows`,
    acknowledged: products.length,
    missing: rows - distinct,
    twice: products.length - distinct,
    wrongHours: null,
    recoverySeconds,
  })
  expect([products.length, distinct]).toEqual([rows, rows])
  // Nobody works at it any more, and nobody will.
  expect(await database.admin(`select from graphile_worker._private_jobs where key = $1`, [`export:${id}`])).toEqual([])
})
