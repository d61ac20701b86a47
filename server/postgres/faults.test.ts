import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aFolder, ask, isRunning, postmasterOf, started } from '#testkit/servers/embedded-postgres.ts'
import { embeddedPostgresOwner, removeEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { existingHome } from './home.ts'

vi.setConfig({ testTimeout: 60_000 })

const isRoot = process.getuid?.() === 0

test('letters beyond ASCII count as letters, and text sorts the same on every system', async () => {
  const { url } = await started(aFolder())
  expect(await ask(url, "select lower('CAFFÈ ÑANDÚ')")).toEqual(['caffè ñandú'])
  expect(await ask(url, "select unnest(array['b', 'É', 'a', 'Z']) as word order by word")).toEqual(['Z', 'a', 'b', 'É'])
})

test('with a data folder that only root may enter, the database is in a folder that PostgreSQL can reach, until it is removed', async () => {
  const dataDir = aFolder(0o700)
  const first = await started(dataDir)
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  const home = existingHome(dataDir)?.path ?? ''
  expect(home.startsWith(dataDir)).toBe(!isRoot)

  const second = await started(dataDir)
  expect(await ask(second.url, 'select answer from kept')).toEqual([42])
  await second.stop()
  await removeEmbeddedPostgres(dataDir)
  expect([existsSync(home), existsSync(dataDir)]).toEqual([false, false])
})

test('a killed PostgreSQL leaves a stale lock, and the next start succeeds', async () => {
  const dataDir = aFolder()
  const first = await started(dataDir, { isThrowaway: false })
  await ask(first.url, 'create table kept as select 42 as answer')
  const postmaster = postmasterOf(dataDir)
  process.kill(postmaster, 'SIGKILL')
  // Stop before the automatic restart.
  await first.stop()
  expect(isRunning(postmaster)).toBe(false)
  expect(postmasterOf(dataDir)).toBe(postmaster)

  const second = await started(dataDir)
  expect(await ask(second.url, 'select answer from kept')).toEqual([42])
})

test('a killed PostgreSQL is restarted on the same port each time, with a message', async () => {
  const dataDir = aFolder()
  const output: string[] = []
  const server = await started(dataDir, { isThrowaway: false, log: (line) => output.push(line) })
  await ask(server.url, 'create table kept as select 42 as answer')
  const postmasters = [postmasterOf(dataDir)]
  for (let time = 0; time < 2; time++) {
    process.kill(postmasters[time] ?? 0, 'SIGKILL')
    const answer = () => ask(server.url, 'select answer from kept').catch(() => undefined)
    await expect.poll(answer, { timeout: 20_000, interval: 100 }).toEqual([42])
    postmasters.push(postmasterOf(dataDir))
  }
  expect(postmasters.map(isRunning)).toEqual([false, false, true])
  expect(new Set(postmasters).size).toBe(3)
  const stops = output.filter((line) => /stopped unexpectedly \(SIGKILL\)/.test(line))
  expect([stops.length, output.filter((line) => line === 'PostgreSQL is running again').length]).toEqual([2, 2])
})

test('a server that cannot restart is retried with growing waits until the cause is gone', async () => {
  const dataDir = aFolder()
  const output: string[] = []
  const server = await started(dataDir, { log: (line) => output.push(line) })
  const postmaster = postmasterOf(dataDir)
  const version = join(existingHome(dataDir)?.cluster ?? '', 'PG_VERSION')
  rmSync(version)
  process.kill(postmaster, 'SIGKILL')
  await sleep(3_000)
  expect(output.join('\n')).toMatch(/cannot be opened/)
  // Each attempt fails with this message, which is logged once.
  expect(output.filter((line) => /cannot be opened/.test(line)).length).toBe(1)
  writeFileSync(version, '18\n')
  const answer = () => ask(server.url, 'select 42').catch(() => undefined)
  await expect.poll(answer, { timeout: 20_000, interval: 100 }).toEqual([42])
})

test('a stop during a restart stops the server', async () => {
  for (const waitMs of [0, 200, 400]) {
    const dataDir = aFolder()
    const server = await started(dataDir)
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await sleep(waitMs)
    await server.stop()
    await sleep(700)
    const lock = join(existingHome(dataDir)?.cluster ?? '', 'postmaster.pid')
    expect(existsSync(lock) && isRunning(postmasterOf(dataDir))).toBe(false)
    expect(embeddedPostgresOwner(dataDir)).toBe(undefined)
  }
})

test('a lock with the id of an unrelated process does not prevent the start', async () => {
  const dataDir = aFolder()
  const first = await started(dataDir)
  await first.stop()
  writeFileSync(join(existingHome(dataDir)?.cluster ?? '', 'postmaster.pid'), `${process.pid}\n`)
  await started(dataDir)
})

test('a remembered port that is taken is replaced; a configured port that is taken is an error', async () => {
  const dataDir = aFolder()
  const first = await started(dataDir)
  await first.stop()
  const other = createServer().listen(first.port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await sleep(50)

  const second = await started(dataDir)
  expect(second.port).not.toBe(first.port)
  await second.stop()
  await expect(startEmbeddedPostgres({ dataDir, port: first.port })).rejects.toMatchObject({ code: 'port-in-use' })
})

test('a data folder whose database was moved away is reported, and can be removed for a fresh start', async () => {
  const dataDir = aFolder()
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'location'), `${dataDir}/gone\n`)
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({ code: 'damaged' })
  await removeEmbeddedPostgres(dataDir)
  await started(dataDir)
})

test('a data folder that is a file is refused in one sentence', async () => {
  const dataDir = aFolder()
  writeFileSync(dataDir, '')
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({ code: 'damaged' })
})

const breakages: { what: string; code: string; damage: (cluster: string, home: string) => void }[] = [
  {
    what: 'written by another version',
    code: 'version-mismatch',
    damage: (cluster) => writeFileSync(join(cluster, 'PG_VERSION'), '15\n'),
  },
  { what: 'without its version file', code: 'damaged', damage: (cluster) => rmSync(join(cluster, 'PG_VERSION')) },
  {
    what: 'with a cut control file',
    code: 'damaged',
    damage: (cluster) => writeFileSync(join(cluster, 'global/pg_control'), 'x'),
  },
  { what: 'without its password', code: 'damaged', damage: (_, home) => rmSync(join(home, 'connection.json')) },
]

for (const { what, code, damage } of breakages) {
  test(`a database ${what} is refused in one sentence and not changed`, async () => {
    const dataDir = aFolder()
    const first = await started(dataDir)
    await first.stop()
    const home = existingHome(dataDir)
    damage(home?.cluster ?? '', home?.path ?? '')
    const failure = await startEmbeddedPostgres({ dataDir }).catch((error: Error) => error)
    expect(failure).toMatchObject({ code })
    expect(failure).toMatchObject({ message: expect.stringMatching(/^[^\n]{40,400}$/) })
    expect(existsSync(join(home?.cluster ?? '', 'base'))).toBe(true)
  })
}
