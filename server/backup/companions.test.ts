import { mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { someBlobs } from '#testkit/servers/blobs.ts'
import { aDeployment, secretKey } from '#testkit/servers/deployment.ts'
import { aFolder } from '#testkit/servers/embedded-postgres.ts'
import { readConfig } from '../config.ts'
import { pruneCompanions, restoreCompanions, trackCompanions } from './companions.ts'
import { systemOf } from './restore.ts'
import { startBackups } from './run-backups.ts'
import { openBackupStore } from './store.ts'

const systemId = '7412'
const anAccountsFile = () => {
  const folder = aFolder()
  mkdirSync(folder)
  return join(folder, 'accounts.json')
}
const at = (time: string) => new Date(`2026-11-27T${time}Z`)

test('each change of a broker’s accounts is in the backup, sealed, and is restored as of a moment', async () => {
  const key = await generateX25519Identity()
  const blobs = someBlobs()
  const store = openBackupStore(blobs, { recipients: [await identityToRecipient(key)] }, [key])
  const path = anAccountsFile()
  const companions = trackCompanions()
  const keep = (time: string) => companions.store({ store, systemId, paths: [path], now: at(time) })
  expect((await keep('09:59:00')).unread.has(path)).toBe(true)
  // A hole takes no disk.
  writeFileSync(path, '')
  truncateSync(path, 256 * 1024 * 1024 + 1)
  expect((await keep('09:59:30')).unread.get(path)?.message).toMatch(/is larger than/)
  writeFileSync(path, 'one')
  expect(await keep('10:00:00')).toMatchObject({ stored: 1, unread: new Map() })
  expect(await keep('10:00:30')).toMatchObject({ stored: 0 })
  writeFileSync(path, 'one, two')
  expect(await keep('10:01:00')).toMatchObject({ stored: 1 })
  // The broker lost its volume and began with another file.
  rmSync(path)
  writeFileSync(path, 'empty')
  await keep('10:02:00')
  for await (const { key: place } of blobs.all()) {
    const content = Buffer.concat((await (await blobs.get(place))?.content.toArray()) ?? [])
    expect(content.toString('latin1'), place).toMatch(/^age-encryption.org\/v1/)
  }
  const restored = async (until?: Date) => {
    const [one, ...others] = await restoreCompanions(store, systemId, { until, dataDir: aFolder() })
    expect(others).toEqual([])
    expect(one && statSync(one.file).mode & 0o777).toBe(0o600)
    return one && [basename(one.file), readFileSync(one.file, 'utf8'), one.savedAt]
  }
  expect(await restored(at('10:01:59'))).toEqual(['accounts.json', 'one, two', at('10:01:00')])
  expect(await restored(at('08:00:00'))).toEqual(['accounts.json', 'one', at('10:00:00')])
  expect(await restored()).toEqual(['accounts.json', 'empty', at('10:02:00')])
  await pruneCompanions(store, systemId, { since: at('10:01:30'), now: at('10:03:00') })
  expect((await store.companions(systemId)).map(({ savedAt }) => savedAt)).toEqual([at('10:01:00'), at('10:02:00')])
})

test('a worker stores the file when it appears and each time it changes, beside the copy of the server', async () => {
  const shop = await aDeployment()
  const path = anAccountsFile()
  const logged: string[] = []
  const running = startBackups({
    adminUrl: shop.server.url,
    store: shop.store,
    files: shop.files,
    secretKey,
    version: '0.2.0',
    isEncrypted: false,
    log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
    logEveryMillis: 50,
    everyHours: 24,
    days: 14,
    companions: [path],
  })
  onTestFinished(() => running.stop())
  const count = async () => (await shop.store.companions(await systemOf(shop.store, undefined))).length
  await expect.poll(async () => (await shop.store.systems()).length, { timeout: 20_000 }).toBe(1)
  await pause(500)
  expect(await count()).toBe(0)
  // Said once, not each time.
  expect(logged.map((line) => JSON.parse(line).path)).toEqual([path])
  for (const [index, content] of ['first', 'second'].entries()) {
    writeFileSync(`${path}.new`, content)
    renameSync(`${path}.new`, path)
    await expect.poll(count, { timeout: 20_000 }).toBe(index + 1)
  }
  const [one] = await restoreCompanions(shop.store, await systemOf(shop.store, undefined), {
    until: undefined,
    dataDir: aFolder(),
  })
  expect(one && readFileSync(one.file, 'utf8')).toBe('second')
}, 60_000)

test('two files of one name, or a path that depends on the folder, are refused at the start', () => {
  const read = (BACKUP_FILES: string) => readConfig({ BACKUP_FILES, SECRET_KEY: secretKey }, { production: false })
  expect(read('/a/x.json, /b/y.json').BACKUP_FILES).toEqual(['/a/x.json', '/b/y.json'])
  expect(() => read('/a/x.json,/b/x.json')).toThrow('BACKUP_FILES: must have names of their own')
  expect(() => read('x.json')).toThrow('BACKUP_FILES: must be absolute paths')
})
