import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* The right to manage licences. */

const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const aUser = (role: 'superAdmin' | 'merchantAdmin') =>
  aUserWithPassword(product.database, role, [{ merchantId: aurora.id, groups: 'all' }])

test('a user with the new right to manage licences sees that at once, and is in the list of such users', {
  timeout: 240_000,
}, async () => {
  const admin = await aUser('merchantAdmin')
  const own = await signedIn(product, admin, '/settings/profile')
  await own.getByText('You can’t manage licences. Ask the provider for permission.').waitFor()
  expect(await accessibilityFaults(own)).toEqual([])
  const page = await signedIn(product, await aUser('superAdmin'), `/admin/users/${admin.id}`)
  await page.getByRole('switch', { name: 'Can manage licences' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await own.getByText('You can manage licences.').waitFor()
  await page.goto(`/admin/users?search=${encodeURIComponent(admin.email)}&mayLicense=true`)
  await page.getByRole('row', { name: admin.email }).getByText('Can manage licences').waitFor()
  await page.goto(`/admin/users?search=${encodeURIComponent(admin.email)}&mayLicense=false`)
  await page.getByText('No results for these filters').waitFor()
  expect([...own.complaints, ...page.complaints]).toEqual([])
})
