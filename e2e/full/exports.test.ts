import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Download, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { folderBlobs } from '#server/files/folder-blobs.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { sizes } from '#testkit/browser/looks.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { anExport } from '#testkit/exports.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* The current list, and exports of a machine's page, on a phone, cancelled, and expired. */

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const inAurora = `merchant=${demoMerchants[0]?.id}`

async function menuOf(page: Page) {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const menu = page.getByRole('dialog', { name: 'Export' })
  await menu.getByRole('heading', { name: 'Current view' }).waitFor()
  return menu
}

const contentOf = async (download: Download) => readFile(await download.path())

test('the current list is downloaded with the columns of the screen, and its row limit is shown before', async () => {
  const page = await signedIn(product, 'superAdmin', `/transactions/data?${inAurora}&period=thisMonth`)
  await page.locator('main [data-row]').first().waitFor()
  const menu = await menuOf(page)
  await menu.getByText(/^(All [\d.]+ rows|First 10\.000 )/).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    menu.getByRole('button', { name: 'Current view as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Transactions \d{4}-\d\d-\d\d \d\d\.\d\d\.csv$/)
  const [head = '', first = ''] = (await contentOf(download)).toString('utf8').split('\n')
  expect(head).toBe(
    '\uFEFFTime (Europe/Rome),Machine,Serial,Type,Product,Product code,Price line,Price list,Media type,Source,Free vend,Failed vend,Charged for failed vend (EUR),Value (EUR)',
  )
  expect(first).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d,/)
  expect(page.complaints).toEqual([])
})

test('a reported configuration is downloaded from the machine’s page, with its differences from the previous one', async () => {
  const [machine] = await product.database.admin<{ id: string; n: number }>(
    `select machine_id as id, count(*)::int as n from configurations where merchant_id = $1 group by 1 order by 2 desc limit 1`,
    [demoMerchants[0]?.id],
  )
  const page = await signedIn(product, 'superAdmin', `/devices/${machine?.id}/configs?${inAurora}`)
  await page.locator('main [data-row]').first().waitFor()
  const menu = await menuOf(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    menu.getByRole('button', { name: 'Current view as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Configurations /)
  const [head = '', ...rows] = (await contentOf(download)).toString('utf8').trimEnd().split('\n')
  expect(head).toContain('Parameters added,Parameters removed,Parameters changed')
  expect(rows).toHaveLength(machine?.n ?? 0)
  expect(page.complaints).toEqual([])
})

test('the same export is available on a phone', async () => {
  const page = await signedIn(product, 'superAdmin', `/devices?${inAurora}`, { viewport: sizes.phone })
  await page.locator('main [data-row]').first().waitFor()
  const menu = await menuOf(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    menu.getByRole('button', { name: 'Current view as Excel' }).click(),
  ])
  expect((await contentOf(download)).subarray(0, 2).toString()).toBe('PK')
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
})

test('a pending export is cancelled', async () => {
  // No worker runs jobs here.
  const portal = await aPortal()
  const merchant = await aMerchant(portal.database)
  const person = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  await aMachine(portal.database, merchant.id)
  const page = await signedIn(portal, person, '/devices/list')
  await page.locator('main [data-row]').first().waitFor()
  const menu = await menuOf(page)
  await menu.getByRole('button', { name: 'All data as CSV' }).click()
  await page.getByText('Export started').waitFor()
  const mine = menu.getByRole('region', { name: 'Your exports' })
  await mine.getByRole('button', { name: /^Cancel/ }).click()
  await mine.getByText('Cancelled', { exact: false }).waitFor()
  const jobs = await portal.database.admin('select status from exports where merchant_id = $1', [merchant.id])
  expect(jobs).toEqual([{ status: 'cancelled' }])
  expect(page.complaints).toEqual([])
})

test('an expired file is shown as expired in the list, at its link, and where the link opens', async () => {
  // No worker deletes expired files here.
  const dataDir = await mkdtemp(join(tmpdir(), 'gettone-expired-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const portal = await aPortal({ DATA_DIR: dataDir })
  const { database } = portal
  const merchant = await aMerchant(database)
  const person = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  await aMachine(database, merchant.id)
  const files = { database, blobs: folderBlobs(join(dataDir, 'blobs')) }
  const { id, token } = await anExport(files, person, merchant.id)
  const expire = () => database.admin(`update exports set expires_at = now() - interval '1 second' where id = $1`, [id])

  const page = await signedIn(portal, person, '/devices/list')
  await page.locator('main [data-row]').first().waitFor()
  const menu = await menuOf(page)
  const mine = menu.getByRole('region', { name: 'Your exports' })
  const link = mine.getByRole('link', { name: 'Download: Machines · CSV' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('machines.csv')
  expect((await contentOf(download)).toString()).toBe('abc')

  await expire()
  await link.click()
  const expired = 'This export has expired. Create it again.'
  await page.getByRole('alert').getByText(expired).waitFor()
  await mine.getByText(expired).waitFor()
  expect(await link.count()).toBe(0)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])

  const opened = await page.goto(`/api/v1/exports/${token}`)
  expect(opened?.status()).toBe(410)
  expect(await page.locator('body').innerText()).toBe(expired)
  const answer = await fetch(`${portal.url}/api/v1/exports/${token}`)
  expect(answer.status).toBe(410)
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  expect(await answer.json()).toMatchObject({ status: 410, code: 'ExportExpired' })
})
