import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { faultsOnTheWay } from '#testkit/browser/looks.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aClient, aGroup, aMachine, aUser } from '#testkit/fixtures.ts'
import { openFilter } from '#testkit/list-filters.ts'
import { anAlarm, aPrice, aSale } from '#testkit/machines/machine-data.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* What people do with groups and clients: they create them and move machines; who sees them, two editors at once, a slow map, hundreds of groups. */

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
  const person = await aUserWithPassword(product.database, role, [{ merchantId: at, groups }])
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

test('a group admin sees their own groups, and a merchant user is redirected to clients', async () => {
  const own = `Own ${unique()}`
  const other = `Other ${unique()}`
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

test('a map that loads while a client is being saved does not block the saved client', async () => {
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

test('a duplicate code is refused at its field, and the changes of two users are merged', async () => {
  const taken = `T${unique()}`
  const name = `Shared ${unique()}`
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

test('a group is created, filled in bulk, renamed, and deleted once it is empty', async () => {
  const mark = `Corner ${unique()}`
  for (const n of [1, 2, 3]) await aMachine(product.database, merchantId, { name: `${mark} ${n}` })
  const page = await as('merchantAdmin', '/manage/groups')
  await rows(page).first().waitFor()
  await looks(page, 'groups')
  await page.getByRole('button', { name: 'New group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Lombardia')
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await dialog.getByText('A group with this name already exists.').first().waitFor()
  await looks(page, 'group-create')
  await dialog.getByLabel('Name').fill(mark)
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await page.waitForURL(/\/manage\/groups\/[0-9a-f-]{36}/)
  await page.getByRole('heading', { level: 1, name: mark }).waitFor()

  await page.getByRole('button', { name: 'Not in this group', exact: true }).first().click()
  await field(page, 'Name, serial or address').fill(mark)
  await expect.poll(() => rows(page).count()).toBe(3)
  await page.locator('main').getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await said(page, `Add 3 machines to ${mark}?`)
  await looks(page, 'group-add')
  await page.getByRole('button', { name: 'Add 3 machines' }).click()
  await said(page, `3 machines added to ${mark}`)
  await page.getByRole('button', { name: 'In this group', exact: true }).first().click()
  await expect.poll(() => rows(page).count()).toBe(3)
  await looks(page, 'group')

  await page.getByRole('button', { name: 'Rename' }).click()
  await dialog.getByLabel('Name').fill(`${mark} renamed`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: `${mark} renamed` }).waitFor()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete group' }).click()
  await dialog.getByText('3 machines still assigned').waitFor()
  await looks(page, 'group-in-use')
  expect(await dialog.getByRole('link').count()).toBe(3)
  await dialog.getByRole('link', { name: `${mark} 1` }).click()
  await page.waitForURL(/\/devices\//)
  await page.goBack()
  await expect.poll(() => rows(page).count()).toBe(3)
  await page.locator('main').getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Remove 3 machines' }).click()
  await said(page, `3 machines removed from ${mark} renamed`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete group' }).click()
  await page.waitForURL((url) => url.pathname === '/manage/groups')
  await said(page, `Group ${mark} renamed deleted`)
}, 240_000)

test('a client is added by its country’s rules, found in the palette, and changed', async () => {
  const name = `Palestra ${unique()}`
  const page = await as('merchantUser', '/manage/clients')
  await page.getByRole('link', { name: 'New client' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'New client' }).waitFor()
  await looks(page, 'client-create')
  await field(page, 'Name').fill(name)
  await page.getByLabel('VAT code').fill('00743110158')
  await page.getByLabel('Postal code').fill('0018')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  expect(await page.locator('[aria-invalid=true]').count()).toBe(3)
  await looks(page, 'client-wrong')
  await field(page, 'Code').fill(name)
  await page.getByLabel('VAT code').fill('IT 00743110157')
  await page.getByLabel('Postal code').fill('20121')
  await page.getByLabel('Email').fill('info@palestra.test')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/manage\/clients\/[0-9a-f-]{36}/)
  await page.getByRole('heading', { level: 1, name }).waitFor()
  expect(await page.getByLabel('VAT code').inputValue()).toBe('00743110157')
  await looks(page, 'client')
  await page.getByLabel('Contact person').fill('Anna Bianchi')
  await page.getByRole('button', { name: 'Save' }).click()
  await said(page, `${name} saved`)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('textbox').fill(name)
  await page.getByRole('dialog', { name: 'Search' }).getByText(name).first().waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`/manage/clients?search=${encodeURIComponent(name)}`)
  await rows(page).getByText(name).first().waitFor()
  await looks(page, 'clients')
}, 240_000)

test('machines come to a client in bulk, keep it from being deleted, and other tabs see it', async () => {
  const mark = `Kiosk ${unique()}`
  const machine = await aMachine(product.database, merchantId, { name: mark })
  const id = await aClient(product.database, merchantId, { name: `At ${mark}` })
  const page = await as('merchantAdmin', `/manage/clients/${id}/pos`)
  const other = await as('merchantAdmin', `/manage/clients/${id}/pos`)
  await said(other, 'No machines at this client')
  await page.getByRole('button', { name: 'Not at this client', exact: true }).first().click()
  await field(page, 'Name, serial or address').fill(mark)
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.locator('main').getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Add machine' }).click()
  await rows(other).getByText(mark, { exact: true }).waitFor()
  await looks(other, 'client-machines')
  await other.getByRole('button', { name: 'Delete', exact: true }).click()
  await other.getByRole('button', { name: 'Delete client' }).click()
  await other.getByText('1 machine still assigned').waitFor()
  await looks(other, 'client-in-use')
  await other.getByRole('dialog').getByRole('link', { name: mark }).click()
  await other.waitForURL((url) => url.pathname.startsWith(`/devices/${machine.id}`))
}, 240_000)

test('a client’s page shows its machines’ sales with their sums, and their alarms', async () => {
  const { database } = product
  const mark = `Hotel ${unique()}`
  const id = await aClient(database, merchantId, { name: mark })
  const at = { columns: { client_id: id } }
  const lobby = await aMachine(database, merchantId, { name: `${mark} lobby`, ...at })
  const pool = await aMachine(database, merchantId, { name: `${mark} pool`, ...at })
  await aSale(database, lobby, { created_at: new Date(), value: 12_300 })
  await aSale(database, pool, { created_at: new Date(), value: 45 })
  await aSale(database, pool, { created_at: new Date(), value: 5_000, type: 4 })
  await aSale(database, await aMachine(database, merchantId), { created_at: new Date(), value: 99_900 })
  await anAlarm(database, pool)
  const page = await as('merchantUser', `/manage/clients/${id}`)
  await page.getByRole('link', { name: 'Sales', exact: true }).click()
  await expect.poll(() => rows(page).count()).toBe(2)
  await said(page, '€ 123,45')
  await said(page, 'Sales of machines on the days on which they were at this client')
  await looks(page, 'client-sales')
  await page.getByRole('link', { name: 'View statistics' }).click()
  await page.waitForURL((url) => url.pathname === '/transactions/stats' && url.searchParams.get('clientIds') === id)
  await said(page, '€ 123,45')
  await looks(page, 'client-statistics')
  await page.goto(`/manage/clients/${id}`)
  // The tab, not the menu's entry.
  await page.getByRole('main').getByRole('link', { name: 'Alarms', exact: true }).click()
  await rows(page).getByText(`${mark} pool`).waitFor()
  expect(await rows(page).count()).toBe(1)
  await looks(page, 'client-alarms')
  await page.goto(`/alarms?clientIds=${id}`)
  await rows(page).getByText(`${mark} pool`).waitFor()
  expect(await rows(page).count()).toBe(1)
}, 240_000)
