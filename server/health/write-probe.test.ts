import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { folderBlobs } from '../files/folder-blobs.ts'
import { createApp } from '../http/server.ts'
import { registerHealth } from './health.ts'
import { openWriteProbe, probeKey } from './write-probe.ts'

/** `/health/ready` of an app on a real database and folder, whose clock the test moves. */
async function aReadiness() {
  const database = await aDatabase()
  const root = await mkdtemp(join(tmpdir(), 'gettone-ready-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  let millis = 0
  const log = pino({ level: 'silent' })
  const app = createApp(log)
  onTestFinished(() => app.close())
  const unwritable = openWriteProbe({ doors: database, blobs: folderBlobs(root), log, clock: () => millis })
  registerHealth(app, { doors: database, isDraining: () => false, unwritable })
  return {
    database,
    root,
    pass: (more: number) => {
      millis += more
    },
    async ready() {
      const answer = await app.inject('/health/ready')
      return { status: answer.statusCode, body: answer.json() }
    },
    writtenAt: async () =>
      (await database.admin<{ at: Date }>('select written_at as at from write_probes'))[0]?.at.getTime() ?? 0,
  }
}

const isReady = { status: 200, body: { status: 'ready' } }
const notWritable = (...places: { place: string; reason: string }[]) => ({
  status: 503,
  body: { status: 'not writable', places },
})

test('a server with a full disk for its files is not ready, says so, and is ready once there is space', async () => {
  const { root, ready, pass } = await aReadiness()
  expect(await ready()).toEqual(isReady)
  // The kernel answers every write to this device with ENOSPC. The probe removes the link after the failure.
  await symlink('/dev/full', join(root, `${probeKey}.part`))
  pass(10_000)
  expect(await ready()).toEqual(notWritable({ place: 'files', reason: 'disk full' }))
  pass(2_000)
  expect(await ready()).toEqual(isReady)
  expect(await readdir(join(root, 'probes'))).toEqual([])
})

test('a server without a folder for its files is not ready', async () => {
  const { root, ready } = await aReadiness()
  await writeFile(join(root, 'probes'), '')
  expect(await ready()).toEqual(notWritable({ place: 'files', reason: 'unavailable' }))
})

test('a server whose database takes no writes is not ready, though it reads', async () => {
  const { database, ready } = await aReadiness()
  await database.admin(
    `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
  )
  expect(await ready()).toEqual(notWritable({ place: 'database', reason: 'read only' }))
})

test('a server whose database cannot grow is not ready', async () => {
  const { database, ready } = await aReadiness()
  // Test databases lie in memory; the trigger raises what PostgreSQL raises when a file cannot grow.
  await database.admin(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  await database.admin(
    'create trigger full_disk before update of filling on write_probes for each row execute function refuse()',
  )
  expect(await ready()).toEqual(notWritable({ place: 'database', reason: 'disk full' }))
})

test('the check writes rarely, however often it is called', async () => {
  const { ready, pass, writtenAt } = await aReadiness()
  await Promise.all(Array.from({ length: 20 }, ready))
  const first = await writtenAt()
  pass(9_999)
  await ready()
  expect(await writtenAt()).toBe(first)
  pass(1)
  await ready()
  expect(await writtenAt()).toBeGreaterThan(first)
})

test('the check leaves the table of the database with its one row', async () => {
  const { database, ready, pass } = await aReadiness()
  for (let time = 0; time < 5; time++) {
    expect(await ready()).toEqual(isReady)
    pass(10_000)
  }
  expect(await database.admin('select id, filling from write_probes')).toEqual([{ id: 1, filling: null }])
})
