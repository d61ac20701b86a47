import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { wallAt } from '#domain/time/zoned-time.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'
import { filesInZip } from '#testkit/zip.ts'

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const inAurora = `merchant=${demoMerchants[0]?.id}`

test('requested transactions are downloaded as a file with the rows of the list', async () => {
  const page = await signedIn(product, 'merchantAdmin', `/transactions/data?${inAurora}&period=yesterday`)
  await page.locator('main [data-row]').first().waitFor()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const said = await page.getByText(/^All [\d.]+ rows/).textContent()
  const total = Number(said?.replace(/\D/g, ''))
  expect(total).toBeGreaterThan(0)

  await page.goto(`/manage/data-retrieval-requests?${inAurora}`)
  await page.getByText('The user who requested the data lost access.').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Request data' }).click()
  await page.getByRole('heading', { level: 1, name: 'Request data' }).waitFor()
  const { day } = wallAt(new Date(Date.now() - 86_400_000), 'Europe/Rome')
  const typed = day.split('-').reverse().join('/')
  // The wrong order is refused at its field.
  await page.getByRole('textbox', { name: /^From/ }).fill(typed)
  await page.getByRole('textbox', { name: /^To/ }).fill('01/01/2020')
  await page.getByRole('button', { name: 'Request data' }).click()
  await page.getByText('The end of the period is before its start.').waitFor()
  expect(page.complaints.splice(0)).toEqual([expect.stringContaining('400')])
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('textbox', { name: /^To/ }).fill(typed)
  await page.getByRole('button', { name: 'Request data' }).click()
  await page.getByText('Request created').waitFor()

  // The list is refreshed when the worker has written the file.
  const own = page.locator('main [data-row]').first()
  await own.getByText(`transactions.csv: ${total.toLocaleString('en')}`).waitFor()
  await own.getByText('Completed').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    own.getByRole('link', { name: /^Download / }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`Transactions ${day} ${day}.zip`)
  const csv = filesInZip(await readFile(await download.path())).get('transactions.csv') ?? ''
  expect(csv.trimEnd().split('\n')).toHaveLength(total + 1)
  expect(page.complaints).toEqual([])
})
