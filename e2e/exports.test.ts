import { readFile } from 'node:fs/promises'
import { readXlsx } from 'hucre/xlsx'
import type { Download, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* Lists as files, as users download them from the portal. */

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

test('all rows are exported in the background, and the export is still listed after leaving the screen', async () => {
  const page = await signedIn(product, 'superAdmin', `/devices?${inAurora}`)
  await page.locator('main [data-row]').first().waitFor()
  const menu = await menuOf(page)
  await menu.getByLabel('All columns, including hidden ones').check()
  await menu.getByRole('button', { name: 'All data as Excel' }).click()
  await page.getByText('Export started').waitFor()
  await page.goto(`/alarms?${inAurora}`)
  await page.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor()
  const again = await menuOf(page)
  const mine = again.getByRole('region', { name: 'Your exports' })
  const link = mine.getByRole('link', { name: 'Download: Machines · Excel' })
  await link.waitFor()
  await mine.getByText(/\d+ rows · Available until /).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const { sheets } = await readXlsx(new Uint8Array(await contentOf(download)))
  const [head = [], ...rows] = sheets[0]?.rows ?? []
  expect(sheets[0]?.name).toBe('Machines')
  expect(head).toContain('Serial')
  expect(head).toContain('Latitude')
  expect(rows.length).toBeGreaterThan(5)
  expect(page.complaints).toEqual([])
})
