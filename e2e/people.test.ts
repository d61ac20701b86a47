import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#server/demo/merchants.ts'
import { openAccounts } from '#server/identity/accounts.ts'
import { accessibilityFaults, aPage } from '#testkit/browser.ts'
import { aUser } from '#testkit/fixtures.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* A merchant's admin and their people: one is invited, given groups, suspended and deleted. */

const password = 'Gettone-demo-1'
const patience = 60_000
const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

async function aPerson(role: 'superAdmin' | 'merchantAdmin') {
  const { database } = product
  const person = await aUser(database, role, [{ merchantId: aurora?.id ?? '', groups: 'all' }])
  await openAccounts(database).givePassword(person.id, password, new Date())
  return person
}

async function signIn(person: { email: string }, path: string) {
  const page = await aPage({ baseURL: product.url })
  page.setDefaultTimeout(patience)
  await page.goto(path)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test('a group admin is invited, needs a group, is suspended, brought back and deleted', {
  timeout: 240_000,
}, async () => {
  const page = await signIn(await aPerson('merchantAdmin'), '/manage/users/create')
  const email = 'petra@people.test'
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Name').fill('=Petra مدير 🥤')
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Group admin')
  expect(await page.getByRole('option', { name: 'Super admin' }).count()).toBe(0)
  await page.getByRole('switch', { name: /^All groups of/ }).click()
  await page.getByRole('button', { name: 'Save and invite' }).click()
  await page.getByText('Choose at least one group in each merchant').waitFor()
  const groups = page.getByRole('combobox', { name: /^Groups of/ })
  await expect.poll(() => groups.evaluate((field) => field === document.activeElement)).toBe(true)
  await groups.click()
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save and invite' }).click()
  await page.getByRole('heading', { level: 1, name: '=Petra مدير 🥤' }).waitFor()
  await page.getByRole('button', { name: 'Resend the invitation' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const mails = await product.database.admin('select from mailbox where recipient = $1', [email])
  expect(mails).toHaveLength(1)

  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Resend the invitation' }).waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL((url) => url.pathname === '/manage/users')
  await page.getByPlaceholder('E-mail or name').fill('petra')
  await page.getByText('Nothing matches these filters').waitFor()
  expect(await product.database.admin('select from users where email = $1', [email])).toEqual([])
  expect(page.complaints).toEqual([])
})

test('whom the provider lets manage licences reads so at once, and stands in the list of those who may', {
  timeout: 240_000,
}, async () => {
  const admin = await aPerson('merchantAdmin')
  const own = await signIn(admin, '/settings/profile')
  await own.getByText('You may not manage licences: the provider gives this permission.').waitFor()
  expect(await accessibilityFaults(own)).toEqual([])
  const page = await signIn(await aPerson('superAdmin'), `/admin/users/${admin.id}`)
  await page.getByRole('switch', { name: 'May manage licences' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await own.getByText('You may manage licences.').waitFor()
  await page.goto(`/admin/users?search=${encodeURIComponent(admin.email)}&mayLicense=true`)
  await page.getByRole('row', { name: admin.email }).getByText('May manage licences').waitFor()
  await page.goto(`/admin/users?search=${encodeURIComponent(admin.email)}&mayLicense=false`)
  await page.getByText('Nothing matches these filters').waitFor()
  expect([...own.complaints, ...page.complaints]).toEqual([])
})
