import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* A merchant's admin and their users: a user is invited, given groups, suspended and deleted. */

const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const aUser = (role: 'superAdmin' | 'merchantAdmin') =>
  aUserWithPassword(product.database, role, [{ merchantId: aurora.id, groups: 'all' }])

test('a group admin is invited, needs a group, becomes a merchant admin, is suspended, reactivated and deleted', {
  timeout: 240_000,
}, async () => {
  const page = await signedIn(product, await aUser('merchantAdmin'), '/manage/users/create')
  const email = `petra-${randomUUID()}@people.test`
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Name').fill('=Petra مدير 🥤')
  const role = page.getByRole('combobox', { name: 'Role' })
  await role.selectOption('Group admin')
  expect(await page.getByRole('option', { name: 'Super admin' }).count()).toBe(0)
  expect(await page.getByRole('switch', { name: /^All groups of/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Save and invite' }).click()
  await page.getByText('Choose at least one group per merchant').waitFor()
  const groups = page.getByRole('combobox', { name: /^Groups of/ })
  await expect.poll(() => groups.evaluate((field) => field === document.activeElement)).toBe(true)
  await groups.click()
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.keyboard.press('Escape')
  // A merchant admin has no groups to choose; the previous choice returns with the other role.
  await role.selectOption('Merchant admin')
  await page.getByText('A merchant admin sees all groups of each merchant').waitFor()
  expect(await groups.count()).toBe(0)
  expect(await page.getByRole('switch', { name: /^All groups of/ }).count()).toBe(0)
  await role.selectOption('Group admin')
  await page.getByRole('button', { name: 'Save and invite' }).click()
  await page.getByRole('heading', { level: 1, name: '=Petra مدير 🥤' }).waitFor()
  await page.getByRole('button', { name: 'Resend invitation' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const mails = await product.database.admin('select from mailbox where recipient = $1', [email])
  expect(mails).toHaveLength(1)

  const seen = () =>
    product.database.admin(
      `select role, all_groups, (select count(*)::int from user_groups g where g.user_id = u.id) as groups
       from users u join user_merchants m on m.user_id = u.id where email = $1`,
      [email],
    )
  expect(await seen()).toEqual([{ role: 'groupAdmin', all_groups: false, groups: 1 }])
  await role.selectOption('Merchant admin')
  await page.getByText('A merchant admin sees all groups of each merchant').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  // Suspended during the save: the suspension applies to the saved user, not to the one in the dialog.
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route('**/users/*', async (route) => {
    const answered = await route.fetch()
    await held
    await route.fulfill({ response: answered })
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(seen, { timeout: 10_000 }).toEqual([{ role: 'merchantAdmin', all_groups: true, groups: 0 }])
  await page.getByRole('button', { name: 'Suspend' }).click()
  const conflict = page.waitForRequest((request) => request.postDataJSON()?.isSuspended === true)
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await conflict
  answer()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  expect(await seen()).toEqual([{ role: 'merchantAdmin', all_groups: true, groups: 0 }])
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Resend invitation' }).waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL((url) => url.pathname === '/manage/users')
  await page.getByPlaceholder('Email or name').fill(email)
  await page.getByText('No results for these filters').waitFor()
  expect(await product.database.admin('select from users where email = $1', [email])).toEqual([])
  expect(page.complaints).toEqual([expect.stringContaining('409')])
})
