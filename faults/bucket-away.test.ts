import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openBlobsAt } from '#server/files/open-blobs.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { bucketKey, openBucket } from '#testkit/servers/bucket.ts'
import { filesInZip } from '#testkit/zip.ts'
import { ensurePortal } from '../scripts/portal-build.ts'
import { noteFinding } from './findings.ts'
import { aServerProcess, breakablePostgres, isFull, retrievalLinksOf } from './harness.ts'
import { aRetrievalRequest, salesIn } from './retrieval-request.ts'

const place = breakablePostgres()
const rows = isFull ? 400_000 : 20_000
const awaySeconds = isFull ? 60 : 3

test('while S3 is away no file is half there and readiness names the files; afterwards each is written, once', async () => {
  if (!ensurePortal()) throw new Error('The portal could not be built')
  const { database } = place
  const { admin } = database
  const bucket = await openBucket()
  onTestFinished(bucket.stop)
  const blobs = await openBlobsAt(bucket.address)
  onTestFinished(() => blobs.close())
  const files = { BLOB_URL: bucket.url, ...bucketKey }
  const api = await aServerProcess('api', database, files)
  await aServerProcess('worker', database, files)
  const ready = async () => (await fetch(`${api.url}/health/ready`)).json()

  const request = await aRetrievalRequest(database, rows)
  const { id } = request
  const statusOf = async () =>
    (await admin<{ status: string }>('select status from data_retrieval_requests where id = $1', [id]))[0]?.status

  expect(await ready()).toMatchObject({ status: 'ready' })
  bucket.setAway(true)
  await request.queue()
  await expect
    .poll(ready, { timeout: 30_000, interval: 200 })
    .toEqual({ status: 'not writable', places: [{ place: 'files', reason: 'unavailable' }] })
  await pause(awaySeconds * 1000)
  expect(await statusOf()).toBe('created')
  bucket.setAway(false)
  const returned = performance.now()
  await expect.poll(statusOf, { timeout: 120_000 }).toBe('completed')
  const recoverySeconds = (performance.now() - returned) / 1000
  await expect.poll(ready, { timeout: 30_000, interval: 200 }).toMatchObject({ status: 'ready' })

  const stored: string[] = []
  for await (const { key } of blobs.all()) if (key.startsWith('retrievals/')) stored.push(key)
  expect(stored).toHaveLength(1)
  const token = (await retrievalLinksOf(database.url)).tokenOf(request, new Date(Date.now() + 3_600_000))
  // The connection breaks three times while the file is sent.
  bucket.cutDownloads(50_000, 3)
  const answer = await fetch(`${api.url}${apiPrefix}/historicaldata/${token}`)
  expect(answer.status).toBe(200)
  const text = filesInZip(Buffer.from(await answer.arrayBuffer())).get('transactions.csv') ?? ''
  const products = salesIn(text)
  const distinct = new Set(products).size
  noteFinding({
    fault: `S3 away for ${awaySeconds} s while historical data is written`,
    load: `a file of ${rows} sales`,
    acknowledged: products.length,
    missing: rows - distinct,
    twice: products.length - distinct,
    wrongHours: null,
    recoverySeconds,
  })
  expect([products.length, distinct]).toEqual([rows, rows])
  // A job is tried again after pauses that grow with the outage.
  expect(recoverySeconds).toBeLessThanOrEqual(awaySeconds + 30)
})
