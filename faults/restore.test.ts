import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { archiveLog } from '#server/backup/archive-log.ts'
import { makeBackup } from '#server/backup/make-backup.ts'
import { planRestore, restoreEmbedded, systemOf } from '#server/backup/restore.ts'
import { openBackupStore } from '#server/backup/store.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { testSecretKey } from '#testkit/fixtures.ts'
import { aMosquitto } from '#testkit/machines/mosquitto.ts'
import { someBlobs } from '#testkit/servers/blobs.ts'
import { aFolder } from '#testkit/servers/embedded-postgres.ts'
import { aLoadFleet, aServerProcess, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()
const rate = isFull ? 200 : 50
/** So much of the log is lost with the server. */
const lostSeconds = isFull ? 60 : 5
const log = pino({ level: 'silent' })

test('a server that is lost and restored to an earlier moment gets from the machines what was acknowledged after it', async () => {
  const { database } = place
  const members = await aLoadFleet(database, isFull ? 50 : 10)
  const broker = await aMosquitto(members)
  const names = ['one', 'two']
  const gatewayOn = (url: string) => (name: string) =>
    aServerProcess('gateway', { url }, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: name })
  const gateways = await Promise.all(names.map(gatewayOn(database.url)))

  const store = openBackupStore(someBlobs(), { recipients: [] })
  const stopped = new AbortController()
  onTestFinished(() => stopped.abort())
  const backup = { adminUrl: database.url, store, files: someBlobs(), secretKey: testSecretKey }
  const stream = { adminUrl: database.url, store, log, signal: stopped.signal, everyMillis: 200 }
  const archive = archiveLog({ ...stream, onBegun: () => {}, onStored: () => {} }).catch(() => {})
  await makeBackup({ ...backup, version: '0.2.0', isEncrypted: false })

  let stored = 0
  let restored: pg.Pool | undefined
  const load = { broker: broker.url, members, rate, seconds: 6, patienceSeconds: 90, keptSeconds: 600 }
  const report = await sellThrough({ ...load, onStored: () => void stored++ }, async ({ over, caughtUp }) => {
    await pause(3_000)
    stopped.abort()
    await archive
    const storedInLog = stored
    await pause(lostSeconds * 1000)
    await caughtUp()
    expect(stored).toBeGreaterThan(storedInLog)
    for (const gateway of gateways) await gateway.kill('SIGKILL')
    const acknowledged = stored
    await database.kill()

    const plan = await planRestore(store, await systemOf(store, undefined))
    const dataDir = aFolder()
    await restoreEmbedded({ store, plan, dataDir, files: someBlobs(), secretKey: testSecretKey, log: () => {} })
    const again = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') })
    const pool = new pg.Pool({ connectionString: again.url, max: 2 })
    // Its server is stopped at the end.
    pool.on('error', () => {})
    restored = pool
    onTestFinished(async () => {
      await pool.end()
      await again.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from transactions')
    expect(rows[0]?.count).toBeGreaterThan(0)
    expect(rows[0]?.count).toBeLessThan(acknowledged)
    over()
    await Promise.all(names.map(gatewayOn(again.url)))
    await caughtUp()
  })
  const admin = async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    ((await restored?.query<R>(text, values))?.rows ?? []) as R[]
  // Sales without a new acknowledgement are in transit for a moment.
  const count = async () =>
    (await admin<{ count: number }>('select count(*)::int as count from transactions'))[0]?.count
  await expect.poll(count, { timeout: 60_000 }).toBe(report.sent)
  await expectNothingLost(
    `server lost with ${lostSeconds} s of its log, and restored while machines sell`,
    { admin },
    report,
  )
  await database.start()
})
