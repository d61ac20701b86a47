import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#server/demo/merchants.ts'
import { faultsOnTheWay } from '#testkit/browser/looks.ts'
import { aPersonWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aClient, aGroup, aMachine, aUser } from '#testkit/fixtures.ts'
import { openFilter } from '#testkit/list-filters.ts'
import { aPrice } from '#testkit/machines/machine-data.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* Groups and clients in detail: who sees them, two editors at once, a slow map, hundreds of groups. */

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 240_000)
afterAll(() => product?.stop(), 60_000)

const merchantId = demoMerchants[0]?.id as string

/** A user of the first merchant that no other test uses, signed in. */
async function as(
  role: 'merchantAdmin' | 'groupAdmin' | 'merchantUser',
  path: string,
  groups: 'all' | string[] = 'all',
  at = merchantId,
) {
  const person = await aPersonWithPassword(product.database, role, [{ merchantId: at, groups }])
  return signedIn(product, person, path)
}
const rows = (page: Page) => page.locator('main [data-row]')
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const unique = () => Math.random().toString(36).slice(2, 9)

const looks = async (page: Page, name: string) =>
  expect(await faultsOnTheWay(page, `groups-and-clients/${name}`)).toEqual([])

test('admins see the users of a group, each with a link to the user', async () => {
  const group = await aGroup(product.database, merchantId, `Hall ${unique()}`)
  const keeper = await aUser(product.database, 'groupAdmin', [{ merchantId, groups: [group] }])
  const page = await as('merchantAdmin', `/manage/groups/${group}`)
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Users/ })
    .click()
  await rows(page).getByText(keeper.email).waitFor()
  await looks(page, 'group-people')
}, 120_000)

test('a group admin sees one’s own groups, and a merchant user is led to clients', async () => {
  const [own, other] = [`Own ${unique()}`, `Other ${unique()}`]
  const ids = [await aGroup(product.database, merchantId, own), await aGroup(product.database, merchantId, other)]
  const page = await as('groupAdmin', '/manage/groups', [ids[0] as string])
  await rows(page).getByText(own).waitFor()
  expect(await rows(page).count()).toBe(1)
  await page.goto(`/manage/groups/${ids[1]}`)
  await said(page, 'Group not found.')
  const users = await as('merchantUser', '/manage/clients')
  await users.goto('/manage')
  await users.waitForURL((url) => url.pathname === '/manage/clients')
}, 120_000)

test('a place that loads while a client is being saved does not block the saved client', async () => {
  const name = `Palestra ${unique()}`
  const page = await as('merchantUser', '/manage/clients/create')
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/clients$/.test(response.url()),
  )
  await page.route('**/autocomplete/postalcode/**', async (route) => {
    await saved
    await route.continue()
  })
  await field(page, 'Code').fill(name)
  await field(page, 'Name').fill(name)
  const asked = page.waitForRequest('**/autocomplete/postalcode/**')
  await page.getByLabel('Postal code').fill('20121')
  await asked
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/manage\/clients\/[0-9a-f-]{36}/)
  await page.getByRole('heading', { level: 1, name }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a code that is taken is said at its field, and what two have changed is put together', async () => {
  const [taken, name] = [`T${unique()}`, `Shared ${unique()}`]
  await aClient(product.database, merchantId, { code: taken })
  const id = await aClient(product.database, merchantId, { name, code: name })
  const page = await as('merchantAdmin', `/manage/clients/${id}`)
  const other = await as('merchantAdmin', `/manage/clients/${id}`)
  await field(page, 'Code').fill(taken.toUpperCase())
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A client with this code or name already exists.').first().waitFor()
  await field(page, 'Code').fill(name)
  await page.getByLabel('Contact person').fill('Anna Bianchi')
  await other.getByLabel('Company').fill('Shared S.p.A.')
  await other.getByRole('button', { name: 'Save' }).click()
  await said(other, `${name} saved`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => product.database.admin('select company_name, contact_name from clients where id = $1', [id]))
    .toEqual([{ company_name: 'Shared S.p.A.', contact_name: 'Anna Bianchi' }])
}, 120_000)

test('prices of a machine are drawn by selection', async () => {
  const machine = await aMachine(product.database, merchantId)
  await aPrice(product.database, machine)
  await aPrice(product.database, machine, { selection: '12', price: 200 })
  const page = await as('merchantUser', `/devices/${machine.id}/prices?chart=bar`)
  await page.getByRole('img', { name: /Highest: 12 Espresso, € 2,00/ }).waitFor()
  await looks(page, 'prices-chart')
}, 120_000)

test('a group and a client beyond the first five hundred are found by name, in the form and in the filter', async () => {
  const at = demoMerchants[2]?.id as string
  const { database } = product
  await database.admin(
    `insert into groups (merchant_id, id, name, created_at)
     select $1, gen_random_uuid(), 'Zone ' || lpad(n::text, 4, '0'), now() from generate_series(1, 510) n`,
    [at],
  )
  await database.admin(
    `insert into clients (merchant_id, id, code, name, country, created_at)
     select $1, gen_random_uuid(), 'Z' || n, 'Zone client ' || lpad(n::text, 4, '0'), 'CZ', now() from generate_series(1, 510) n`,
    [at],
  )
  const machine = await aMachine(database, at, { name: `Far ${unique()}` })
  const page = await as('merchantAdmin', `/devices/${machine.id}/details`, 'all', at)
  const group = page.getByRole('combobox', { name: 'Group', exact: true })
  await group.click()
  await group.fill('one 0510')
  await page.getByRole('option', { name: 'Zone 0510' }).click()
  const client = page.getByRole('combobox', { name: 'Client', exact: true })
  await client.fill('client 0509')
  await page.getByRole('option', { name: 'Zone client 0509' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await said(page, 'Machine saved')
  await page.getByRole('main').getByRole('link', { name: 'Zone 0510' }).waitFor()
  await looks(page, 'machine-of-many-groups')
  await page.goto('/devices/list')
  await openFilter(page, 'Client')
  await field(page, 'Find…').fill('client 0509')
  await page.getByRole('radio', { name: 'Zone client 0509' }).click()
  await rows(page).getByText(machine.name).waitFor()
  await page.reload()
  await page
    .getByRole('button', { name: /^Client/ })
    .getByText('Zone client 0509')
    .waitFor()
  expect(await rows(page).count()).toBe(1)
}, 180_000)
