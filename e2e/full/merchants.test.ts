import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { faultsSeen, sizes } from '#testkit/browser/looks.ts'
import { openPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aClient, aMachine, aMerchant, aSapCode } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'

/* The provider creates and changes merchants, and demos end; a demo's users see its remaining days, and its end. */

const looks = [
  { name: 'light', options: {} },
  { name: 'dark-phone', options: { viewport: sizes.phone, colorScheme: 'dark' as const } },
]

let portal: TestPortal & { stop: () => Promise<void> }
let provider: { email: string }
beforeAll(async () => {
  portal = await openPortal()
  provider = await aUserWithPassword(portal.database, 'superAdmin')
}, 300_000)
afterAll(() => portal?.stop(), 60_000)

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const lastDay = (page: Page) => page.getByRole('textbox', { name: 'Demo ends on' })
/** A day as an English reader types it. */
const typed = (day: string) => day.split('-').reverse().join('/')
const rowOf = async (name: string) =>
  (await portal.database.admin('select * from merchants where name = $1', [name]))[0] as Record<string, unknown>

test('a merchant in Mexico is created, appears in the switcher without a reload, and is changed', async () => {
  await aMerchant(portal.database, { name: 'Bar Centrale' })
  const page = await signedIn(portal, provider, '/admin/merchants')
  let loads = 0
  page.on('load', () => loads++)
  await page.getByRole('link', { name: 'New merchant' }).click()
  await heading(page, 'New merchant').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('bar centrale')
  await page.getByRole('combobox', { name: 'Country' }).first().fill('Mexico')
  await page.getByRole('listbox', { name: 'Country' }).getByRole('option', { name: 'Mexico', exact: true }).click()
  // The country has suggested the other values.
  expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toBe('MXN')
  expect(await page.getByRole('combobox', { name: 'Language' }).inputValue()).toBe('es')
  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('America/Mexico City')
  await page.getByRole('textbox', { name: 'VAT code' }).fill('123')
  await page.getByRole('button', { name: 'Create merchant' }).click()
  await page.getByText('Enter a valid VAT code for this country').waitFor()
  await page.getByRole('textbox', { name: 'VAT code' }).fill('GODE561231GR8')
  await page.getByRole('button', { name: 'Create merchant' }).click()
  await page.getByText('Another merchant has this name').first().waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Café del Sur')
  await page.getByRole('button', { name: 'Create merchant' }).click()
  await heading(page, 'Café del Sur').waitFor()
  await page.getByText('No users yet.').waitFor()
  const invite = page.getByRole('link', { name: 'Invite user' })
  expect(await invite.getAttribute('href')).toContain(`/admin/users/create?of=${(await rowOf('Café del Sur')).id}`)
  expect(await rowOf('Café del Sur')).toMatchObject({
    country: 'MX',
    currency: 'MXN',
    time_zone: 'America/Mexico_City',
    language: 'es',
  })

  await page.getByRole('textbox', { name: 'Contact email' }).fill('lucia@cafe.example')
  await page.getByRole('switch', { name: 'Screen configuration' }).check()
  await page.getByRole('textbox', { name: 'Enrolment whitelist time-to-live' }).fill('7')
  await page.getByRole('textbox', { name: 'ERP API URL' }).fill('https://erp.cafe.example')
  await save(page)
  await page.getByText('Merchant saved').waitFor()
  await page.getByRole('button', { name: /change merchant/ }).click()
  const list = page.getByRole('dialog', { name: /change merchant/ })
  await list.getByRole('button', { name: /^Café del Sur/ }).waitFor()
  await page.keyboard.press('Escape')
  expect(loads).toBe(0)
  const [details] = await portal.database.admin('select * from merchant_details where legal_country = $1', ['MX'])
  expect(details).toMatchObject({
    vat_code: 'GODE561231GR8',
    contact_email: 'lucia@cafe.example',
    screen_configuration: true,
    enrolment_days: 7,
    erp_api_url: 'https://erp.cafe.example',
  })
})

test('features and limits are set on the next tab', async () => {
  const { id, name } = await aMerchant(portal.database, { features: [], productFamilies: [] })
  const page = await signedIn(portal, provider, `/admin/merchants/${id}`)
  await heading(page, name).waitFor()
  await page.getByRole('link', { name: 'Super-admin settings' }).click()
  await page.getByRole('switch', { name: 'Network' }).check()
  await page.getByRole('textbox', { name: 'Maximum machines' }).fill('12')
  await save(page)
  await page.getByText('Settings saved').waitFor()
  const [stored] = await portal.database.admin('select * from merchant_features where merchant_id = $1', [id])
  expect(stored).toMatchObject({ features: ['network'], maximum_machines: 12, maximum_people: null })
  expect(page.complaints).toEqual([])
})

test('a SAP code of keys is added, changed and deleted', async () => {
  const { id } = await aMerchant(portal.database)
  const page = await signedIn(portal, provider, `/admin/merchants/${id}/sapcodes`)
  await page.getByText('No SAP codes yet').waitFor()
  await page.getByRole('link', { name: 'New SAP code' }).click()
  const code = page.getByRole('textbox', { name: 'Code', exact: true })
  await code.fill('K-100')
  await save(page)
  await page.getByText('K-100').first().click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('=Blue key')
  // The message of the first save may still be visible.
  const changed = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await save(page)
  expect((await changed).status()).toBe(200)
  await page.getByRole('button', { name: 'Delete SAP code' }).click()
  const question = page.getByRole('dialog', { name: 'Delete the SAP code K-100?' })
  expect(
    await portal.database.admin('select code, description from key_sap_codes where merchant_id = $1', [id]),
  ).toEqual([{ code: 'K-100', description: '=Blue key' }])
  await question.getByRole('button', { name: 'Delete SAP code' }).click()
  await page.getByText('No SAP codes yet').waitFor()
  expect(page.complaints).toEqual([])
})

test('a demo shows its end date; after it, its users see only that message until the demo is extended', async () => {
  const demo = await aMerchant(portal.database, { name: 'Prova Vending' })
  const person = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId: demo.id, groups: 'all' }])
  const day = (days: number) => addDays(dayIn(new Date(), 'Europe/Rome'), days)
  const page = await signedIn(portal, provider, `/admin/merchants/${demo.id}`)
  await page.getByRole('switch', { name: 'Demo' }).check()
  expect(await lastDay(page).inputValue()).toBe(typed(day(90)))
  await lastDay(page).fill(typed(day(3)))
  await save(page)
  await page.getByText('Merchant saved').waitFor()
  const theirs = await signedIn(portal, person, '/devices/list')
  await theirs.getByText('This demo ends in 3 days. Ask the provider to extend it.').waitFor()
  expect(await accessibilityFaults(theirs)).toEqual([])

  await lastDay(page).fill(typed(day(-1)))
  await save(page)
  // Automatically, without a reload.
  await theirs.getByText('The demo of Prova Vending has ended').waitFor()
  expect(await theirs.getByRole('heading', { name: 'Machines' }).count()).toBe(0)
  expect(await faultsSeen(theirs, 'merchants/ended')).toEqual([])
  await theirs.goto('/settings/profile')
  await heading(theirs, 'Profile').waitFor()
  await theirs.goto('/alarms')
  await theirs.getByText('The demo of Prova Vending has ended').waitFor()

  await lastDay(page).fill(typed(day(30)))
  await save(page)
  await heading(theirs, 'Alarms').waitFor()
})

test('records opened under all merchants keep that choice in the switcher and the address, and use their own merchant and zone', async () => {
  const sol = await aMerchant(portal.database)
  const aurora = await aMerchant(portal.database)
  await portal.database.admin('update merchants set time_zone = $2 where id = $1', [sol.id, 'America/Mexico_City'])
  const client = await aClient(portal.database, sol.id, { name: 'Wallaby Clinic' })
  const machine = await aMachine(portal.database, sol.id, { name: 'Wallaby', columns: { client_id: client } })
  await anAlarm(portal.database, machine)
  const sale = await aSale(portal.database, machine)
  const page = await signedIn(portal, provider, `/devices/list?merchant=${allMerchants}&search=Wallaby`)
  const switcher = page.getByRole('button', { name: /, change merchant$/ })
  const row = page.locator('main [data-row]')
  const name = (await switcher.innerText()).split('\n')[0] ?? ''
  const seesAll = async (path: string) => {
    await page.waitForURL((url) => url.pathname === path && url.searchParams.get('merchant') === allMerchants)
    expect(await switcher.innerText()).toContain(name)
  }
  const header = page.locator('main header')
  await row.filter({ hasText: 'Wallaby' }).press('Enter')
  await seesAll(`/devices/${machine.id}`)
  await header.getByText(sol.name).waitFor()
  await header.getByText('America/Mexico City').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])

  // Its tabs call its own merchant, also for changes.
  await page.getByRole('link', { name: 'More', exact: true }).click()
  await page.getByRole('link', { name: 'Notes', exact: true }).click()
  await seesAll(`/devices/${machine.id}/notes`)
  const written = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/notes'))
  await page.locator('main textarea').fill('Checked')
  await page.locator('main textarea').press('Control+Enter')
  expect((await written).url()).toContain(`/merchants/${sol.id}/`)
  await page.getByRole('link', { name: 'More', exact: true }).click()
  await page.locator('dd').getByRole('link', { name: 'Wallaby Clinic' }).click()
  await seesAll(`/manage/clients/${client}`)
  await header.getByText(sol.name).waitFor()
  for (let steps = 0; steps < 10 && !page.url().includes('/devices/list'); steps += 1) await page.goBack()
  await seesAll('/devices/list')
  await row.filter({ hasText: 'Wallaby' }).waitFor()

  await page.goto(`/alarms?merchant=${allMerchants}&search=Wallaby`)
  await row.first().press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Wallaby/ })
    .first()
    .press('Enter')
  await seesAll(`/devices/${machine.id}`)
  await page.goto(`/transactions/data?merchant=${allMerchants}&transaction=${sale}&search=Wallaby`)
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Wallaby/ })
    .first()
    .press('Enter')
  await seesAll(`/devices/${machine.id}`)
  // A machine of another merchant than the selected one opens too, and the switcher keeps its choice.
  await page.goto(`/devices/${machine.id}?merchant=${aurora.id}`)
  await header.getByText(sol.name).waitFor()
  expect(await switcher.innerText()).toContain(aurora.name)
  expect(page.complaints.filter((complaint) => !complaint.includes('503'))).toEqual([])
})

test.each(looks)('the screens are accessible and fit: $name', async ({ name, options }) => {
  const { id } = await aMerchant(portal.database, { name: `A very long name of a merchant in ${name}` })
  const sapCodeId = await aSapCode(portal.database, id)
  const page = await signedIn(portal, provider, '/admin/merchants', options)
  const screens = {
    list: '/admin/merchants',
    create: '/admin/merchants/create',
    merchant: `/admin/merchants/${id}`,
    setting: `/admin/merchants/${id}/setting`,
    sapcodes: `/admin/merchants/${id}/sapcodes`,
    'new-sapcode': `/admin/merchants/${id}/sapcodes/create`,
    sapcode: `/admin/merchants/${id}/sapcodes/${sapCodeId}`,
  }
  for (const [screen, path] of Object.entries(screens)) {
    await page.goto(path)
    await page.locator('main').getByRole('textbox').first().waitFor()
    expect(await faultsSeen(page, `merchants/${screen}-${name}`, { fullPage: true })).toEqual([])
  }
  expect(page.complaints).toEqual([])
})
