import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { apiPrefix } from '#server/http/prefix.ts'
import { filesInZip } from '#testkit/zip.ts'
import { noteFinding } from './findings.ts'
import { aServerProcess, breakablePostgres, expectSoon, isFull, retrievalLinksOf } from './harness.ts'
import { aRetrievalRequest, salesIn } from './retrieval-request.ts'

const place = breakablePostgres()
const rows = isFull ? 400_000 : 60_000
const kills = isFull ? 3 : 1

test('a killed worker leaves no half file of historical data: another one writes it whole, once', async () => {
  const { database } = place
  const folder = await mkdtemp(join(tmpdir(), 'gettone-retrieval-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const stored = async () => (await readdir(join(folder, 'blobs', 'retrievals')).catch(() => [])).sort()
  const aWorker = () => aServerProcess('worker', database, { DATA_DIR: folder })
  const api = await aServerProcess('api', database, { DATA_DIR: folder })
  let worker = await aWorker()
  const request = await aRetrievalRequest(database, rows)
  await request.queue()
  const { id, merchantId } = request
  const token = (await retrievalLinksOf(database.url)).tokenOf(request, new Date(Date.now() + 3_600_000))
  const download = async () => {
    const answer = await fetch(`${api.url}${apiPrefix}/historicaldata/${token}`)
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const stateOf = async () =>
    (
      await database.admin<{ status: string; attempt: number; rows: string; active: number }>(
        `select status, attempt, rows, (select count(*)::int from data_retrieval_requests where merchant_id = $2 and status = 'created')
         as active from data_retrieval_requests where id = $1`,
        [id, merchantId],
      )
    )[0]
  let killedAt = 0
  for (let time = 1; time <= kills; time++) {
    await expect.poll(stored, { timeout: 60_000, interval: 5 }).toContain(`${id}-${time}.zip.part`)
    // Hold the file half written until another worker runs.
    worker.freeze()
    const other = await aWorker()
    expect(await stateOf()).toMatchObject({ status: 'created', active: 1 })
    expect((await download()).status).toBe(404)
    killedAt = performance.now()
    await worker.kill('SIGKILL')
    worker = other
  }
  await expect.poll(async () => (await stateOf())?.status, { timeout: 90_000 }).toBe('completed')
  const recoverySeconds = (performance.now() - killedAt) / 1000

  expect(await stateOf()).toMatchObject({ attempt: kills + 1, rows: String(rows), active: 0 })
  expect(await stored()).toEqual([`${id}-${kills + 1}.zip`])
  const file = await download()
  expect(file.status).toBe(200)
  const products = salesIn(filesInZip(file.bytes).get('transactions.csv') ?? '')
  const distinct = new Set(products).size
  noteFinding({
    fault: `kill -9 of the worker while it writes historical data, ${kills} times`,
    load: `a file of ${rows} sales`,
    acknowledged: products.length,
    missing: rows - distinct,
    twice: products.length - distinct,
    wrongHours: null,
    recoverySeconds,
  })
  expect([products.length, distinct]).toEqual([rows, rows])
  expect(
    await database.admin(`select from graphile_worker._private_jobs where key = $1`, [`historicalData:${id}`]),
  ).toEqual([])
  expectSoon(recoverySeconds)
})
