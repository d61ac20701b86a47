import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aDeployment, secretKey } from '#testkit/servers/deployment.ts'
import { aFolder, ask } from '#testkit/servers/embedded-postgres.ts'
import { planRestore, prepareCluster, systemOf } from './restore.ts'

test('a copy of a server that sells has what was sold before it, its files and its key, in any folder', async () => {
  const shop = await aDeployment()
  await shop.files.put('updates/firmware.bin', ['firmware'])
  await shop.files.put('exports/short-lived', ['export'])
  const last = await shop.sell(1_000)
  let isOver = false
  const selling = (async () => {
    while (!isOver) await shop.sell(10)
  })()
  const { base, files } = await shop.backUp()
  isOver = true
  await selling
  expect(files).toBe(1)
  expect(base).toMatchObject({ timeline: 1, isEncrypted: false, gettone: '0.1.0' })
  const { last: restored, target, dataDir } = await shop.restored()
  expect(restored).toBeGreaterThanOrEqual(last)
  expect((await (await target.get('updates/firmware.bin'))?.content.toArray())?.join('')).toBe('firmware')
  expect(await target.size('exports/short-lived')).toBeUndefined()
  expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(secretKey)
}, 60_000)

test('with the stored log a server returns to its last change, or to any moment, to the sale', async () => {
  const shop = await aDeployment()
  const archive = shop.archive()
  await shop.sell(100)
  await shop.backUp()
  const before = await shop.sell(500)
  await pause(30)
  const [moment] = (await ask(shop.server.url, 'select clock_timestamp()')) as Date[]
  await pause(30)
  const last = await shop.sell(20_000)
  await archive.caughtUp()
  expect((await shop.restored()).last).toBe(last)
  const { last: then, plan } = await shop.restored(moment)
  expect(then).toBe(before)
  expect(plan.reaches.getTime()).toBeGreaterThan((moment as Date).getTime())
  // Nothing was changed between the last sale and this moment.
  expect((await shop.restored(plan.reaches)).last).toBe(last)
}, 90_000)

test('a folder for a server of one’s own names its log by no path of the restoring host, and refuses another key', async () => {
  const shop = await aDeployment()
  const archive = shop.archive()
  await shop.backUp()
  await shop.sell(100)
  await archive.caughtUp()
  const plan = await planRestore(shop.store, await systemOf(shop.store, undefined))
  const folder = aFolder()
  const order = { store: shop.store, plan, folder, dataDir: aFolder() }
  await expect(prepareCluster({ ...order, secretKey: 'another' })).rejects.toThrow('This SECRET_KEY is not the one')
  // The key of an unencrypted backup is kept elsewhere.
  expect(await prepareCluster({ ...order, secretKey })).toBeUndefined()
  expect(readFileSync(join(folder, 'postgresql.auto.conf'), 'utf8')).toContain(
    `restore_command = 'cp "restored-log/%f" "%p"'`,
  )
  expect(readdirSync(join(folder, 'restored-log')).length).toBeGreaterThan(0)
}, 60_000)
