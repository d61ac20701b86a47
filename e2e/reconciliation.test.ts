import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* An operator checks whether audited, transmitted and reported money match: the demo has exactly three faults, a lost
   sale, a machine's reset counters and a swapped board. The simulator is off. */

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 240_000)
afterAll(() => product?.stop(), 60_000)

const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')

const rows = (page: Page) => page.locator('main [data-row]')
const drawer = (page: Page) => page.getByRole('dialog')

test('the day of a lost sale is found among all machines, and the audit shows the selection and the amount', async () => {
  const page = await signedIn(product, 'superAdmin', `/transactions/reconciliation?merchant=${aurora.id}`)
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Mismatch', exact: true }).click()
  await expect.poll(() => rows(page).count()).toBe(1)
  await expect.poll(() => rows(page).innerText()).toMatch(/\+1 vend/)
  expect(await accessibilityFaults(page)).toEqual([])
  // The row's link and that of its machine are beside each other.
  expect(await rows(page).getByRole('link').count()).toBeGreaterThan(1)
  expect(await page.locator('main a a').count()).toBe(0)
  await rows(page).press('Enter')
  await drawer(page).getByRole('button', { name: 'Reconciliation', pressed: true }).waitFor()
  const lines = drawer(page).getByRole('table', { name: 'Audited vs. transmitted' })
  await lines
    .getByRole('row', { name: /Sales.*Mismatch/ })
    .first()
    .waitFor()
  const selections = drawer(page).getByRole('table', { name: 'By selection' })
  expect(await selections.getByText('Mismatch').count()).toBe(1)
  expect(await accessibilityFaults(page)).toEqual([])
  await drawer(page).getByRole('button', { name: 'Since previous reading' }).click()
  await drawer(page).getByText('Cash in = cash box + tubes + banknotes').first().waitFor()
  expect(await drawer(page).getByText('Mismatch').count()).toBe(1)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
})
