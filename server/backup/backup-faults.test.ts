import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { pieceName } from '#domain/backup/wal.ts'
import { someBlobs } from '#testkit/servers/blobs.ts'
import { openBucket } from '#testkit/servers/bucket.ts'
import { aDeployment, secretKey } from '#testkit/servers/deployment.ts'
import { aFolder, ask } from '#testkit/servers/embedded-postgres.ts'
import type { Config } from '../config.ts'
import { openBlobsAt } from '../files/open-blobs.ts'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'
import { archiveLog } from './archive-log.ts'
import { makeBackup } from './make-backup.ts'
import { openBackups } from './open-backups.ts'
import { pruneBackups } from './prune.ts'
import { dropIdleSlot } from './replication.ts'
import { planRestore, prepareCluster, restoreEmbedded, systemOf } from './restore.ts'
import { startBackups } from './run-backups.ts'
import { openBackupStore } from './store.ts'

const log = pino({ level: 'silent' })
const anyKey = await generateX25519Identity()
const anyRecipient = await identityToRecipient(anyKey)

test('encrypted backups in a bucket are read with the private key only, and bring the SECRET_KEY along', async () => {
  const bucket = await openBucket()
  onTestFinished(bucket.stop)
  const backups = await openBlobsAt(bucket.address)
  onTestFinished(() => backups.close())
  const shop = await aDeployment({ backups, recipients: [anyRecipient], identities: [anyKey] })
  await shop.files.put('updates/firmware.bin', ['firmware'])
  const archive = shop.archive()
  await shop.backUp()
  const last = await shop.sell(3_000)
  await archive.caughtUp()
  for await (const { key } of backups.all()) {
    if (key.endsWith('backup.json')) continue
    const content = Buffer.concat((await (await backups.get(key))?.content.toArray()) ?? [])
    expect(content.subarray(0, 21).toString(), key).toBe('age-encryption.org/v1')
  }
  const { last: restored, dataDir, target } = await shop.restored(undefined, undefined)
  expect(restored).toBe(last)
  expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(secretKey)
  expect(await target.size('updates/firmware.bin')).toBe(8)

  const system = await systemOf(shop.store, undefined)
  const restoreWith = async (identities: string[]) => {
    const store = openBackupStore(backups, { recipients: [] }, identities)
    const dataDir = aFolder()
    const order = { store, dataDir, files: someBlobs(), secretKey: undefined, log: () => {} }
    await restoreEmbedded({ ...order, plan: await planRestore(store, system) })
  }
  const ofCluster = aFolder()
  const plan = await planRestore(shop.store, system)
  const order = { store: shop.store, plan, folder: aFolder(), dataDir: ofCluster, secretKey: undefined }
  expect(await prepareCluster(order)).toBe(join(ofCluster, 'secret-key'))
  expect(readFileSync(join(ofCluster, 'secret-key'), 'utf8')).toBe(secretKey)
  await expect(restoreWith([])).rejects.toThrow(
    'The backup is encrypted: give the file with its private key by --identity.',
  )
  await expect(restoreWith([await generateX25519Identity()])).rejects.toThrow(
    'The private key does not open this backup.',
  )
}, 90_000)

test('the log is stored without a hole, whatever is away meanwhile, and once it is stored the server lets go of it', async () => {
  const bucket = await openBucket()
  onTestFinished(bucket.stop)
  const backups = await openBlobsAt(bucket.address)
  onTestFinished(() => backups.close())
  const shop = await aDeployment({ backups })
  let archive = shop.archive(50)
  await shop.backUp()
  for (let round = 0; round < 3; round++) {
    await shop.sell(2_000)
    bucket.setAway(true)
    await shop.sell(2_000)
    await pause(300)
    bucket.setAway(false)
    await shop.sell(2_000)
    // The process ends, and another one continues.
    await archive.stop()
    await shop.sell(2_000)
    archive = shop.archive(50)
  }
  const last = await shop.sell(10)
  await archive.caughtUp()
  expect(archive.begun()).toBe(0)
  const [behind] = (await ask(
    shop.server.url,
    `select (pg_current_wal_flush_lsn() - restart_lsn)::int from pg_replication_slots where slot_name = 'gettone_backup'`,
  )) as number[]
  expect(behind).toBeLessThan(1_000_000)
  expect((await shop.restored()).last).toBe(last)
}, 120_000)

test('a half backup is none, and a backup that lacks a piece reaches to the piece before it', async () => {
  const shop = await aDeployment()
  const system = async () => systemOf(shop.store, undefined)
  await expect(system()).rejects.toThrow('There is no backup at this address.')
  const archive = shop.archive(50)
  await shop.sell(10)
  await archive.caughtUp()
  await expect(planRestore(shop.store, await system())).rejects.toThrow('There is no complete backup at this address')
  const { base } = await shop.backUp()
  await expect(planRestore(shop.store, await system(), new Date(Date.parse(base.begunAt) - 1_000))).rejects.toThrow(
    `The first backup was complete at ${base.endedAt}; choose a later moment.`,
  )
  const counts = []
  for (let round = 0; round < 4; round++) {
    counts.push(await shop.sell(500))
    await archive.caughtUp()
  }
  await archive.stop()
  await expect(planRestore(shop.store, await system(), new Date(Date.now() + 60_000))).rejects.toThrow(
    'The backup reaches to ',
  )
  const own = (await shop.store.pieces(await system())).toSorted((a, b) => Number(a.start - b.start))
  const missing = own.at(-2)
  if (!missing) throw new Error('There are too few pieces')
  await shop.store.removePiece(await system(), missing)
  const refusal = await planRestore(shop.store, await system()).catch((error: Error) => error.message)
  const reaches = /^A piece of the log is missing: the backup reaches to (\S+)\. Choose/.exec(String(refusal))?.[1]
  expect(reaches).toBe(own.at(-3)?.savedAt.toISOString())
  const { last } = await shop.restored(new Date(String(reaches)))
  expect(last).toBeLessThan(counts.at(-1) as number)
  expect(last).toBeGreaterThanOrEqual(10)
}, 60_000)

test('a damaged copy ends the restore, and leaves no database and no key behind', async () => {
  const shop = await aDeployment()
  await shop.sell(10)
  const { base } = await shop.backUp()
  const key = `${base.systemId}/base/${base.stamp}/server.tar`
  const content = Buffer.concat((await (await shop.backups.get(key))?.content.toArray()) ?? [])
  content[content.length >> 1] = (content[content.length >> 1] as number) ^ 0xff
  await shop.backups.put(key, [content])
  const dataDir = aFolder()
  const plan = await planRestore(shop.store, base.systemId)
  const order = { store: shop.store, plan, dataDir, files: someBlobs(), secretKey, log: () => {} }
  await expect(restoreEmbedded(order)).rejects.toThrow()
  await shop.backups.put(key, [content.subarray(0, content.length >> 1)])
  await expect(restoreEmbedded(order)).rejects.toThrow()
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), isThrowaway: true })
  onTestFinished(() => server.stop())
  expect(await ask(server.url, `select to_regclass('sales')`)).toEqual([null])
}, 60_000)

test('a restore refuses a folder with a database, another key, and a system that is not there', async () => {
  const shop = await aDeployment()
  const { base } = await shop.backUp()
  const plan = await planRestore(shop.store, base.systemId)
  const order = { store: shop.store, plan, files: someBlobs(), log: () => {} }
  const inUse = aFolder()
  const server = await startEmbeddedPostgres({ dataDir: join(inUse, 'postgres'), isThrowaway: true })
  await server.stop()
  await expect(restoreEmbedded({ ...order, dataDir: inUse, secretKey })).rejects.toThrow('There is a database in ')
  await expect(restoreEmbedded({ ...order, dataDir: aFolder(), secretKey: 'another' })).rejects.toThrow(
    'This SECRET_KEY is not the one of the backup',
  )
  await expect(restoreEmbedded({ ...order, dataDir: aFolder(), secretKey: undefined })).rejects.toThrow(
    'The backup is not encrypted and therefore has no SECRET_KEY',
  )
  const dataDir = aFolder()
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'secret-key'), 'the key of another deployment')
  await expect(restoreEmbedded({ ...order, dataDir, secretKey: undefined })).rejects.toThrow(
    'This SECRET_KEY is not the one',
  )
  await expect(systemOf(shop.store, '123')).rejects.toThrow('There is no backup of the system 123 at this address.')
}, 60_000)

test('a restored server stores its log beside the old one, and two that stem from one server never mix', async () => {
  const shop = await aDeployment()
  const archive = shop.archive(50)
  await shop.sell(10)
  await shop.backUp()
  const last = await shop.sell(100)
  await archive.caughtUp()
  const { again } = await shop.restored()
  // The old server continues. The restored server has a timeline of its own, which needs a copy.
  const stopped = new AbortController()
  onTestFinished(() => stopped.abort())
  let begun = 0
  const order = { adminUrl: again.url, store: shop.store, log, signal: stopped.signal, everyMillis: 50 }
  const other = archiveLog({ ...order, onBegun: () => void begun++ })
  other.catch(() => {})
  await ask(again.url, `insert into sales (number) values (${last + 1_000})`)
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(1)
  const system = await systemOf(shop.store, undefined)
  await expect
    .poll(async () => (await shop.store.pieces(system)).map(pieceName).some((name) => name.startsWith('00000002')), {
      timeout: 10_000,
    })
    .toBe(true)
  await expect(planRestore(shop.store, system)).rejects.toThrow(
    'is that of a restored server of which there is no copy',
  )
  await makeBackup({
    adminUrl: again.url,
    store: shop.store,
    files: someBlobs(),
    secretKey,
    version: '0.1.0',
    isEncrypted: false,
  })
  const plan = await planRestore(shop.store, system)
  expect(plan.base.timeline).toBe(2)
}, 60_000)

test('a server that was set back does not add its log to the later one', async () => {
  const shop = await aDeployment()
  await shop.store.putPiece(
    (await shop.backUp()).base.systemId,
    { timeline: 1, start: 0n, end: 2n ** 40n, savedAt: new Date() },
    Buffer.from('a later log'),
  )
  await expect(shop.archive().running).rejects.toThrow(
    'The backup has a later log of this server than the server itself',
  )
}, 30_000)

const dailyOf = (shop: Awaited<ReturnType<typeof aDeployment>>) => ({
  adminUrl: shop.server.url,
  store: shop.store,
  files: shop.files,
  secretKey,
  version: '0.1.0',
  isEncrypted: false,
  log,
  logEveryMillis: 50,
  everyHours: 24,
  days: 14,
  companions: [],
})

test('the server is copied at once when SECRET_KEY was replaced, so that moments after it can be restored with the new key', async () => {
  const shop = await aDeployment()
  const order = dailyOf(shop)
  const first = startBackups(order)
  const copies = async () => (await shop.store.bases(await systemOf(shop.store, undefined))).length
  await expect.poll(copies, { timeout: 20_000 }).toBe(1)
  await first.stop()
  // A copy is named by its second.
  await pause(1_050)
  const second = startBackups({ ...order, secretKey: 'the-next-secret-of-this-test-9876543210' })
  onTestFinished(() => second.stop())
  await expect.poll(copies, { timeout: 20_000 }).toBe(2)
}, 60_000)

test('of two processes one makes backups, and the other takes over when it ends; old copies go when none needs them', async () => {
  const shop = await aDeployment()
  const order = dailyOf(shop)
  const first = startBackups(order)
  const system = async () => systemOf(shop.store, undefined)
  const copies = async () => (await shop.store.bases(await system())).length
  await expect.poll(copies, { timeout: 20_000 }).toBe(1)
  const second = startBackups(order)
  onTestFinished(() => second.stop())
  const senders = () =>
    ask(shop.server.url, `select count(*)::int from pg_stat_replication where application_name = 'gettone_backup'`)
  await pause(500)
  expect(await senders()).toEqual([1])
  await first.stop()
  await shop.sell(1_000)
  const [flushed] = (await ask(shop.server.url, `select (pg_current_wal_flush_lsn() - '0/0')::text`)) as string[]
  const end = async () =>
    (await shop.store.pieces(await system())).reduce((most, piece) => (piece.end > most ? piece.end : most), 0n)
  await expect.poll(async () => (await end()) >= BigInt(flushed ?? 0), { timeout: 20_000 }).toBe(true)
  expect(await copies()).toBe(1)
  expect((await shop.restored()).last).toBe(1_000)
}, 90_000)

test('pruning keeps what a moment of the promised days needs, and removes what none does', async () => {
  const shop = await aDeployment()
  const archive = shop.archive(50)
  const moments: Date[] = []
  const counts: number[] = []
  for (let copy = 0; copy < 3; copy++) {
    await shop.backUp()
    // A copy is named by its second.
    await pause(1_050)
    counts.push(await shop.sell(500))
    await archive.caughtUp()
    const [now] = (await ask(shop.server.url, 'select clock_timestamp()')) as Date[]
    moments.push(now as Date)
    await pause(50)
    await shop.sell(1)
    await archive.caughtUp()
  }
  const system = await systemOf(shop.store, undefined)
  // Pieces from before the first copy serve no moment.
  expect(await pruneBackups(shop.store, system, new Date(0))).toMatchObject({ copies: 0 })
  const before = (await shop.store.pieces(system)).length
  const { copies, pieces } = await pruneBackups(shop.store, system, moments[1] as Date)
  expect(copies).toBe(1)
  expect(pieces).toBeGreaterThan(0)
  expect((await shop.store.pieces(system)).length).toBe(before - pieces)
  expect((await shop.restored(moments[1])).last).toBe(counts[1])
  expect((await shop.restored(moments[2])).last).toBe(counts[2])
  await expect(planRestore(shop.store, system, moments[0])).rejects.toThrow('The first backup was complete at')
}, 90_000)

test('a server that gave up its log before it was stored gets a new copy, from which it can be restored', async () => {
  const shop = await aDeployment()
  const first = shop.archive(50)
  await shop.backUp()
  await shop.sell(100)
  await first.caughtUp()
  await first.stop()
  await dropIdleSlot(shop.server.url)
  // So much that the server recycles what was not stored.
  for (let round = 0; round < 3; round++) {
    await shop.sell(1_000)
    await ask(shop.server.url, 'select pg_switch_wal()')
    await ask(shop.server.url, 'checkpoint')
  }
  const second = shop.archive(50)
  await expect.poll(second.begun, { timeout: 10_000 }).toBe(1)
  await shop.backUp()
  const last = await shop.sell(100)
  await second.caughtUp()
  expect((await shop.restored()).last).toBe(last)
}, 60_000)

test('without BACKUP_URL the server keeps no log for backups', async () => {
  const shop = await aDeployment()
  const archive = shop.archive(50)
  await shop.sell(10)
  await archive.caughtUp()
  const slots = () => ask(shop.server.url, 'select slot_name from pg_replication_slots')
  const config = { BACKUP_URL: undefined } as Config
  // Another process still stores the log.
  await openBackups(config, { adminUrl: shop.server.url, files: shop.files, log })
  expect(await slots()).toEqual(['gettone_backup'])
  await archive.stop()
  await expect
    .poll(
      async () => {
        await openBackups(config, { adminUrl: shop.server.url, files: shop.files, log })
        return slots()
      },
      { timeout: 10_000 },
    )
    .toEqual([])
}, 30_000)
