import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readXlsx } from 'hucre/xlsx'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { z } from 'zod'
import { type ExportJob, type ExportOrder, mostRunningExports } from '#contract/export/export.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { sources } from '#server/api/export-sources.ts'
import { exportTasks } from '#server/worker/export-tasks.ts'
import { startJobs } from '#server/worker/jobs.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { anExport } from '#testkit/exports.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine, testSecretKey } from '#testkit/fixtures.ts'
import type { Blobs } from '../files/blobs.ts'
import { folderBlobs } from '../files/folder-blobs.ts'
import { wordsIn } from '../words/words.ts'
import { exportLinks } from './link.ts'
import { runExport } from './run.ts'
import { sweepExports } from './sweep.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ EXPORT_HOURS: '2' })
})
afterAll(() => api.close())

const log = pino({ level: 'silent' })
const services = (blobs: Blobs = api.blobs) => ({ sources, doors: api.database, blobs, log, hours: 2 })
const runNow = (id: string, blobs?: Blobs) => runExport(services(blobs), id, { isLastTry: true })

interface Shop {
  merchantId: string
  groups: [string, string]
  machine: TestMachine
  user: TestUser & { id: string }
}
async function aShop(): Promise<Shop> {
  const { database } = api
  const { id } = await aMerchant(database)
  const groups: [string, string] = [await aGroup(database, id), await aGroup(database, id)]
  const machine = await aMachine(database, id, { groupId: groups[0] })
  await aMachine(database, id, { groupId: groups[1] })
  return {
    merchantId: id,
    groups,
    machine,
    user: await aUser(database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]),
  }
}

/** A number of sales, one per minute, without sums. */
const manySales = ({ machine }: Shop, count: number) =>
  api.database.admin(
    `insert into transactions (merchant_id, created_at, id, machine_id, saved_at, type, media_type, media_source, free_sale,
       error_sale, value, value_charge, product)
     select $1, now() - n * interval '1 minute', gen_random_uuid(), $2, now(), 1, 1, 1, false, false, n, 0, 'P' || n
     from generate_series(1, $3) n`,
    [machine.merchantId, machine.id, count],
  )

const period = {
  startDate: new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10),
  endDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
}
const transactionsOrder = (format: 'csv' | 'xlsx' = 'csv') => ({
  list: 'transactions' as const,
  format,
  columns: ['createdAt' as const, 'product' as const, 'value' as const],
  filter: period,
  language: 'en' as const,
})
const machinesOrder = {
  list: 'machines' as const,
  format: 'csv' as const,
  columns: ['serial' as const],
  filter: { fullCashBox: 'false' as const },
  language: 'en' as const,
}

const order = (shop: Shop, body: z.input<typeof ExportOrder>, user = shop.user) =>
  api.as(user).createExport({ params: { merchantId: shop.merchantId }, body })
const jobOf = (shop: Shop, id: string, user = shop.user) =>
  api.as(user).getExport({ params: { merchantId: shop.merchantId, exportId: id } })
const fetchOf = (job: ExportJob) => api.app.inject({ method: 'GET', url: job.link ?? 'no link' })
const linesOf = (text: string) => text.split('\n').length - 2

test.each(['csv', 'xlsx'] as const)(
  'a %s of all rows, far above the limit, is available by its link',
  async (format) => {
    const shop = await aShop()
    await manySales(shop, 12_345)
    const { id } = await order(shop, transactionsOrder(format))
    await runNow(id)
    const job = await jobOf(shop, id)
    expect(job).toMatchObject({ status: 'done', total: 12_345, written: 12_345, failure: null })
    expect(Date.parse(`${job.expiresAt}Z`) - Date.now()).toBeGreaterThan(7_000_000)
    const answer = await fetchOf(job)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="${job.fileName}"`)
    expect(answer.rawPayload.length).toBe(job.size)
    if (format === 'csv') expect(linesOf(answer.payload)).toBe(12_345)
    else expect((await readXlsx(new Uint8Array(answer.rawPayload))).sheets[0]?.rows).toHaveLength(12_346)
  },
)

test('only its owner can see a job', async () => {
  const shop = await aShop()
  const colleague = await aUser(api.database, 'merchantAdmin', [{ merchantId: shop.merchantId, groups: 'all' }])
  const { id } = await order(shop, machinesOrder)
  await expect(jobOf(shop, id, colleague)).rejects.toMatchObject({ code: 'ExportNotFound' })
  const at = { params: { merchantId: shop.merchantId, exportId: id } }
  await expect(api.as(colleague).cancelExport(at)).rejects.toMatchObject({ code: 'ExportNotFound' })
  expect(await api.as(colleague).listExports({ params: { merchantId: shop.merchantId } })).toEqual([])
  const ownJobs = await api.as(shop.user).listExports({ params: { merchantId: shop.merchantId } })
  expect(ownJobs.map((job) => job.id)).toEqual([id])
  expect(await api.as(shop.user).listExports({ params: { merchantId: allMerchants } })).toEqual(ownJobs)
})

test('a forged, altered or expired link is refused', async () => {
  const shop = await aShop()
  const { id, token } = await anExport(api, shop.user, shop.merchantId)
  const other = await anExport(api, shop.user, shop.merchantId)
  const links = exportLinks(testSecretKey)
  const codeOf = async (text: string) => (await api.send('downloadExport', { params: { token: text } })).json().code
  const [, until = '', signature = ''] = token.split('.')
  const tampered = [
    'forged',
    `${other.id}.${until}.${signature}`,
    `${id}.${Number(until) + 1}.${signature}`,
    `${id}.${until}.${signature.slice(0, -2)}`,
    `${token}.more`,
    `${token}=`,
    exportLinks('another secret').tokenOf(id, new Date(Date.now() + 60_000)),
  ]
  for (const text of tampered) expect(await codeOf(text), text).toBe('ExportNotFound')
  expect(await codeOf(links.tokenOf(id, new Date(Date.now() - 1)))).toBe('ExportExpired')
  expect((await api.send('downloadExport', { params: { token } })).payload).toBe('abc')
})

test('a link works only while its owner may see the content', async () => {
  const { database } = api
  const shop = await aShop()
  const scope = JSON.stringify([{ merchantId: shop.merchantId, groups: [shop.groups[0]] }])
  const admin = await aUser(database, 'groupAdmin', [{ merchantId: shop.merchantId, groups: shop.groups }])
  const { token } = await anExport(api, admin, shop.merchantId, { scope })
  const status = async () => (await api.send('downloadExport', { params: { token } })).statusCode
  expect(await status()).toBe(200)
  await database.admin('delete from user_groups where user_id = $1 and group_id = $2', [admin.id, shop.groups[1]])
  expect(await status()).toBe(200)
  await database.admin('update user_groups set group_id = $2 where user_id = $1', [admin.id, shop.groups[1]])
  expect(await status()).toBe(404)
  await database.admin('update user_merchants set all_groups = true where user_id = $1', [admin.id])
  expect(await status()).toBe(200)
  await database.admin(`update users set status = 'suspended' where id = $1`, [admin.id])
  expect(await status()).toBe(403)
})

test('an export of a suspended user, or of a user who lost the merchant, fails with the reason', async () => {
  const suspended = await aShop()
  const first = await order(suspended, machinesOrder)
  await api.database.admin(`update users set status = 'suspended' where id = $1`, [suspended.user.id])
  await runNow(first.id)
  const without = await aShop()
  const second = await order(without, machinesOrder)
  await api.database.admin('delete from user_merchants where user_id = $1', [without.user.id])
  await runNow(second.id)
  const rows = await api.database.admin(
    'select status, failure, blob from exports where id = any($1) order by created_at',
    [[first.id, second.id]],
  )
  expect(rows).toEqual([
    { status: 'failed', failure: 'UnauthorizedUserException', blob: null },
    { status: 'failed', failure: 'MerchantNotFoundException', blob: null },
  ])
})

test('the file has the rows of the screen: the job keeps the selected groups, and omits groups that were lost meanwhile', async () => {
  const shop = await aShop()
  const params = { merchantId: shop.merchantId }
  const headers = { 'gettone-groups': shop.groups[0] }
  const narrow = (await api.send('createExport', { params, body: machinesOrder, headers }, shop.user)).json<ExportJob>()
  const admin = await aUser(api.database, 'groupAdmin', [{ merchantId: shop.merchantId, groups: shop.groups }])
  const wide = await order(shop, machinesOrder, admin)
  await api.database.admin('delete from user_groups where user_id = $1 and group_id = $2', [admin.id, shop.groups[1]])
  for (const [id, user] of [
    [narrow.id, shop.user],
    [wide.id, admin],
  ] as const) {
    await runNow(id)
    const text = (await fetchOf(await jobOf(shop, id, user))).payload
    expect(text).toContain(shop.machine.serial)
    expect(linesOf(text)).toBe(1)
  }
})

test('a user has a maximum number of running exports', async () => {
  const shop = await aShop()
  const jobs = []
  for (let count = 0; count < mostRunningExports; count += 1) jobs.push(await order(shop, machinesOrder))
  const refused = await api.send(
    'createExport',
    { params: { merchantId: shop.merchantId }, body: machinesOrder },
    shop.user,
  )
  expect(refused.json()).toMatchObject({ status: 429, code: 'TooManyExports', facts: { most: mostRunningExports } })
  const at = { params: { merchantId: shop.merchantId, exportId: jobs[0]?.id as string } }
  expect(await api.as(shop.user).cancelExport(at)).toMatchObject({ status: 'cancelled', link: null })
  await order(shop, machinesOrder)
  // A job that is cancelled before its start does not run.
  await runNow(jobs[0]?.id as string)
  expect((await jobOf(shop, jobs[0]?.id as string)).status).toBe('cancelled')
})

test('a running export can be cancelled, and leaves no file', async () => {
  const shop = await aShop()
  await manySales(shop, 5_000)
  const { id } = await order(shop, transactionsOrder())
  const cancelling: Blobs = {
    ...api.blobs,
    put: (key, content) =>
      api.blobs.put(
        key,
        (async function* () {
          for await (const part of content) {
            yield part
            await api.as(shop.user).cancelExport({ params: { merchantId: shop.merchantId, exportId: id } })
            await new Promise((resolve) => setTimeout(resolve, 300))
          }
        })(),
      ),
  }
  await runNow(id, cancelling)
  expect(await jobOf(shop, id)).toMatchObject({ status: 'cancelled', link: null })
  expect((await api.blobs.older('exports', new Date(Date.now() + 60_000))).filter((key) => key.includes(id))).toEqual(
    [],
  )
})

test('a run that was considered dead changes nothing', async () => {
  const shop = await aShop()
  const { id } = await order(shop, machinesOrder)
  const overtaken: Blobs = {
    ...api.blobs,
    put: async (key, content) => {
      const size = await api.blobs.put(key, content)
      if (key.endsWith('-1')) await runNow(id)
      return size
    },
  }
  await runNow(id, overtaken)
  const [row] = await api.database.admin('select status, attempt, blob from exports where id = $1', [id])
  expect(row).toEqual({ status: 'done', attempt: 2, blob: `exports/${id}-2` })
  expect(await api.blobs.get(`exports/${id}-1`)).toBeUndefined()
})

test('an expired export has no link even before cleanup, and its old link gives the reason', async () => {
  const shop = await aShop()
  const { id, token } = await anExport(api, shop.user, shop.merchantId)
  expect(await jobOf(shop, id)).toMatchObject({ link: `/api/v1/exports/${token}` })
  await api.database.admin(`update exports set expires_at = now() - interval '1 second' where id = $1`, [id])
  expect(await jobOf(shop, id)).toMatchObject({ status: 'done', link: null })
  const [listed] = await api.as(shop.user).listExports({ params: { merchantId: shop.merchantId } })
  expect(listed).toMatchObject({ id, link: null })
  const fetched = (headers: Record<string, string> = {}) =>
    api.send('downloadExport', { params: { token }, headers }).then(({ statusCode, payload }) => [statusCode, payload])
  expect(await fetched()).toEqual([410, expect.stringContaining('"code":"ExportExpired"')])
  // In a browser the answer is a readable sentence.
  expect(await fetched({ accept: 'text/html,*/*;q=0.8', 'accept-language': 'it-IT,it;q=0.9' })).toEqual([
    410,
    wordsIn('it', 'errors')('ExportExpired'),
  ])
})

test('expired exports are removed with their files', async () => {
  const shop = await aShop()
  const { id } = await anExport(api, shop.user, shop.merchantId, { expires_at: new Date(Date.now() - 1000) })
  const { id: fresh } = await anExport(api, shop.user, shop.merchantId)
  await sweepExports(services(), new Date())
  expect(await api.blobs.get(`exports/${id}-1`)).toBeUndefined()
  expect(await api.blobs.get(`exports/${fresh}-1`)).toBeDefined()
  const ownJobs = await api.as(shop.user).listExports({ params: { merchantId: shop.merchantId } })
  expect(ownJobs.map((job) => job.id)).toEqual([fresh])
})

test('if a worker is killed during an export, another worker restarts the job', async () => {
  const shop = await aShop()
  await manySales(shop, 30_000)
  const folder = await mkdtemp(join(tmpdir(), 'gettone-killed-'))
  const script = join(import.meta.dirname, '../../testkit/slow-export-worker.ts')
  const child = spawn(process.execPath, [script, api.database.adminUrl, folder], { stdio: 'ignore' })
  const exit = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  // The first worker creates the queue and adds the waiting jobs.
  await expect
    .poll(
      async () =>
        (await api.database.admin(`select to_regclass('graphile_worker._private_jobs') is not null as is`))[0]?.is,
      {
        timeout: 30_000,
      },
    )
    .toBe(true)
  const { id } = await order(shop, transactionsOrder())
  await expect.poll(async () => (await jobOf(shop, id)).written, { timeout: 30_000 }).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await exit
  expect(await jobOf(shop, id)).toMatchObject({ status: 'running', total: 30_000 })
  expect(await readdir(join(folder, 'exports'))).toEqual([`${id}-1.part`])

  const blobs = folderBlobs(folder)
  const jobs = await startJobs(api.database.adminUrl, log, [{ tasks: exportTasks(services(blobs)) }], {
    checkEveryMillis: 500,
  })
  onTestFinished(() => jobs.stop())
  await expect.poll(async () => (await jobOf(shop, id)).status, { timeout: 40_000 }).toBe('done')
  const file = await blobs.get(`exports/${id}-2`)
  const text = (await file?.content.toArray())?.join('') ?? ''
  expect(linesOf(text)).toBe(30_000)
}, 120_000)
