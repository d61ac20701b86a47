import { statSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { aClone, aFolder, ask, isRunning, kill, postmasterOf, started } from '#testkit/servers/embedded-postgres.ts'
import { embeddedPostgresOwner, removeEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { existingHome } from './home.ts'

vi.setConfig({ testTimeout: 60_000 })

test('data written before a stop is there after the next start, on the same port', async () => {
  const dataDir = aFolder()
  const first = await started(dataDir)
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  const second = await started(dataDir)
  expect(await ask(second.url, 'select answer from kept')).toEqual([42])
  expect(second.port).toBe(first.port)
})

test('it listens on loopback only and requires the password', async () => {
  const { url } = await started(aFolder())
  expect(
    await ask(url, "select current_setting('listen_addresses'), current_setting('unix_socket_directories')"),
  ).toEqual(['127.0.0.1', ''])
  const wrong = new URL(url)
  wrong.password = 'guess'
  await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
})

test('only the owner can read the password', async () => {
  const dataDir = aFolder()
  await started(dataDir)
  expect(statSync(existingHome(dataDir)?.connection ?? '').mode & 0o777).toBe(0o600)
})

test('a killed Gettone leaves its data complete and no PostgreSQL running', async () => {
  const { dataDir, start } = await aClone()
  const killed = await start()
  await ask(killed.url, 'create table kept as select 42 as answer')
  const postmaster = postmasterOf(dataDir)
  await kill(killed.process)

  const next = await started(dataDir)
  expect(await ask(next.url, 'select answer from kept')).toEqual([42])
  expect(postmasterOf(dataDir)).not.toBe(postmaster)
  await next.stop()

  const last = await start()
  const orphan = postmasterOf(dataDir)
  await kill(last.process)
  await expect.poll(() => isRunning(orphan), { timeout: 20_000 }).toBe(false)
})

test('a second Gettone on the same data is refused with the id of the first process', async () => {
  const dataDir = aFolder()
  await started(dataDir)
  expect(embeddedPostgresOwner(dataDir)).toBe(process.pid)
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
    code: 'in-use',
    message: expect.stringContaining(`process ${process.pid}`),
  })
  await expect(removeEmbeddedPostgres(dataDir)).rejects.toMatchObject({ code: 'in-use' })
})

test('a data folder that another Gettone is still creating cannot be removed', async () => {
  const dataDir = aFolder()
  const starting = started(dataDir)
  // It has no cluster and no password yet, only its claim.
  await expect.poll(() => embeddedPostgresOwner(dataDir), { interval: 2 }).toBe(process.pid)
  await expect(removeEmbeddedPostgres(dataDir)).rejects.toMatchObject({ code: 'in-use' })
  expect(await ask((await starting).url, 'select 42')).toEqual([42])
})
