import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { replaceRolePassword } from '#database/deployment/secret.ts'
import { migrate } from '#database/distribute/migrate.ts'
import { ask } from '#testkit/servers/embedded-postgres.ts'
import { readConfig } from '../config.ts'
import { openCustomerTokens } from '../customers/tokens.ts'
import { dropFormerIdentityKeys, identityKeys, openKeyring, replaceIdentityKeys } from '../identity/keys.ts'
import { startLiveHub } from '../live/hub.ts'
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded.ts'
import { asOwner, openStorage, type Storage } from '../postgres/storage.ts'
import { addMasterKey, keepMasterKeyOnly, rolePasswordOf } from './deployment-secret.ts'
import { createVault } from './vault.ts'

const firstKey = 'k3J8-first-key-of-this-test-Qw92mZ'
const secondKey = 'p7T1-second-key-of-this-test-Xc45vB'
const mismatch = 'SECRET_KEY does not open this database'

// Roles belong to a whole server: the other tests' one keeps their password.
const folder = mkdtempSync(join(tmpdir(), 'gettone-rotation-test-'))
let server: EmbeddedPostgres
beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), isThrowaway: true })
  await ask(server.url, 'create database migrated')
  await migrate(urlOf('migrated'))
})
afterAll(async () => {
  await server?.stop()
  await removeEmbeddedPostgres(join(folder, 'data')).catch(() => {})
  rmSync(folder, { recursive: true, force: true })
})

function urlOf(database: string): string {
  const address = new URL(server.url)
  address.pathname = `/${database}`
  return address.href
}

/** A new deployment's database, and processes on it that are started with a SECRET_KEY. */
async function aDeployment() {
  const name = `d${randomUUID().replaceAll('-', '')}`
  await ask(server.url, `create database ${name} template migrated`)
  const url = urlOf(name)
  return {
    url,
    async started(key = firstKey): Promise<Storage> {
      const config = readConfig({ DATABASE_URL: url, SECRET_KEY: key, DATABASE_POOL: '4' }, { production: false })
      const storage = await openStorage(config, () => {})
      onTestFinished(storage.stop)
      return storage
    },
  }
}

test('the secret of a new deployment is random, and no other SECRET_KEY opens it', async () => {
  const { started } = await aDeployment()
  const { config } = await started()
  expect(config.secretKey).not.toBe(firstKey)
  expect((await started()).config.secretKey).toBe(config.secretKey)
  await expect(started(secondKey)).rejects.toThrow(mismatch)
})

test('a deployment of the first version keeps its SECRET_KEY as secret, and a wrong key is refused without a trace', async () => {
  const { url, started } = await aDeployment()
  const { doors } = await started()
  await ask(url, 'delete from deployment_secrets')
  await identityKeys(doors, createVault(firstKey))
  await expect(started(secondKey)).rejects.toThrow(mismatch)
  expect(await ask(url, 'select 1 from deployment_secrets')).toEqual([])
  const { config } = await started()
  expect(config.secretKey).toBe(firstKey)
  expect((await identityKeys(doors, createVault(config.secretKey))).signing).toHaveLength(1)
})

test('SECRET_KEY is replaced while processes work: both keys open it, until only the new one does', async () => {
  const { url, started } = await aDeployment()
  const running = await started()
  const sealed = createVault(running.config.secretKey).seal('12345678')

  await asOwner(url, (owner) => addMasterKey(owner, firstKey, secondKey))
  const before = await started(firstKey)
  const after = await started(secondKey)
  for (const { config } of [before, after]) expect(createVault(config.secretKey).open(sealed)).toBe('12345678')

  await expect(asOwner(url, (owner) => keepMasterKeyOnly(owner, 'another key'))).rejects.toThrow(mismatch)
  expect(await asOwner(url, (owner) => keepMasterKeyOnly(owner, secondKey))).toBe(1)
  await expect(started(firstKey)).rejects.toThrow(mismatch)
  expect((await started(secondKey)).config.secretKey).toBe(running.config.secretKey)
  // A process that was not restarted works as before.
  expect(await statementsOf(running, 1)).toBe(1)
})

/** Runs so many statements of both roles at once. Returns how many were answered. */
async function statementsOf({ doors }: Storage, count: number): Promise<number> {
  const work = Array.from({ length: count }, async () => {
    await doors.withSystem('identity', (db) => db.selectFrom('identity_keys').select('use').execute())
    return doors.withTenant([], async () => 1)
  })
  return (await Promise.all(work)).length
}

test('the roles get another password while a process works: no statement and no hint is lost', async () => {
  const { url, started } = await aDeployment()
  const { config, ...storage } = await started()
  const hub = await startLiveHub(storage.systemAddress)
  onTestFinished(() => hub.stop())
  const working = statementsOf({ config, ...storage }, 40)
  await asOwner(url, (owner) =>
    replaceRolePassword(owner, (generation) => rolePasswordOf(config.secretKey, generation)),
  )
  expect(await working).toBe(40)

  // All connections end, as after a restart of the server: each next one needs the new password.
  await ask(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename like 'gettone%'`,
  )
  await expect.poll(() => statementsOf({ config, ...storage }, 20).catch(() => 0)).toBe(20)
  await expect(openedWith(url, config.rolePassword)).rejects.toThrow('password authentication failed')

  const heard = new Promise((resolve) => {
    hub.subscribe((hint) => resolve(hint.merchantId))
  })
  const other = await startLiveHub((await started()).systemAddress)
  onTestFinished(() => other.stop())
  const merchantId = randomUUID()
  const sending = setInterval(() => other.announce(merchantId, 'media'), 100)
  onTestFinished(() => clearInterval(sending))
  expect(await heard).toBe(merchantId)
})

async function openedWith(url: string, password: string) {
  const address = new URL(url)
  address.username = 'gettone_app'
  address.password = password
  return ask(address.href, 'select 1')
}

test('the identity provider gets new keys: tokens of before and after are accepted everywhere, and those of before no more once dropped', async () => {
  const { started } = await aDeployment()
  const { doors, config } = await started()
  const vault = createVault(config.secretKey)
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const person = { merchantId: randomUUID(), customerId: randomUUID(), sessionId: randomUUID() }
  const notRestarted = openCustomerTokens(doors, vault)
  const early = await notRestarted.sign(person)

  await replaceIdentityKeys(doors, vault, new Date())
  const restarted = openCustomerTokens(doors, vault)
  const late = await restarted.sign(person)
  expect(await restarted.verify(early)).toEqual(person)
  // It has read the keys just now, and reads them again for a key that it does not know, at most every five seconds.
  vi.setSystemTime(Date.now() + 6000)
  expect(await notRestarted.verify(late)).toEqual(person)
  const { signing, cookies } = await openKeyring(doors, vault).current()
  expect([signing.length, cookies.length]).toEqual([2, 2])

  expect(await dropFormerIdentityKeys(doors)).toBe(2)
  vi.setSystemTime(Date.now() + 61_000)
  for (const tokens of [restarted, notRestarted]) {
    await expect(tokens.verify(early)).rejects.toMatchObject({ code: 'Unauthorized' })
    expect(await tokens.verify(late)).toEqual(person)
  }
})
