import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aPage } from '#testkit/browser/browser.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { fileOfPortal } from '#testkit/browser/portal-file.ts'
import { aUserWithPassword, signIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

/* The connection ends while a user works. A part that fails to load says so in its place, and the rest of the screen
   stays. After the connection returns, a screen loads automatically and a part at a click, without a reload of the
   page. */

async function atTransactions(prepare: (page: Page) => Promise<void> = async () => {}) {
  const portal = await aPortal()
  const { database } = portal
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  for (let count = 0; count < 3; count += 1) await aSale(database, machine)
  const person = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const page = await aPage({ baseURL: portal.url })
  page.setDefaultTimeout(20_000)
  await prepare(page)
  await signIn(page, person, '/transactions')
  await page.locator('main [data-row]').first().waitFor()
  await page.getByText(/^Live/).first().waitFor()
  // A reload would lose this value.
  await page.evaluate('window.isTheSame = true')
  return page
}

const unreached = (page: Page) => page.getByRole('alert').getByText('The server can’t be reached')
const network = (page: Page, isThere: boolean) => page.context().setOffline(!isThere)
const again = (page: Page) => page.getByRole('button', { name: 'Try again' }).click()

/** The group of the menu. */
const openReports = (page: Page) => page.getByRole('navigation').getByRole('button', { name: 'Reports' }).click()

async function isWhole(page: Page) {
  expect(await page.locator('main [data-row]').count()).toBe(3)
  expect(await page.evaluate('window.isTheSame')).toBe(true)
}

test('without a network the top bar shows that, and its return', async () => {
  const page = await atTransactions()
  await network(page, false)
  await page.getByText(/^Offline/).waitFor()
  await isWhole(page)
  await network(page, true)
  await page.getByText(/^Live/).first().waitFor()
})

test('a screen that fails to load says so in its place, and loads automatically when the network is back', async () => {
  const page = await atTransactions()
  await openReports(page)
  await network(page, false)
  await page.getByRole('link', { name: 'Statistics' }).click()
  await unreached(page).waitFor()
  await network(page, true)
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  await unreached(page).waitFor({ state: 'hidden' })
  expect(await page.evaluate('window.isTheSame')).toBe(true)
})

test('a screen that fails to load despite a network says so, and loads at a click', async () => {
  const page = await atTransactions()
  const file = `**${fileOfPortal('features/sales/transaction/StatsScreen.tsx')}`
  await page.route(file, (route) => route.abort('connectionreset'))
  await openReports(page)
  await page.getByRole('link', { name: 'Statistics' }).click()
  await unreached(page).waitFor()
  await page.unroute(file)
  await again(page)
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
})

test('an export panel that does not load says so in its place, and loads at the next click', async () => {
  const page = await atTransactions()
  await network(page, false)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await unreached(page).waitFor()
  await isWhole(page)
  await network(page, true)
  await again(page)
  await page.getByRole('heading', { name: 'Current view' }).waitFor()
  await isWhole(page)
})

test('a dialog and a chart that fail to load leave the list unchanged', async () => {
  const page = await atTransactions()
  await network(page, false)
  await page.getByRole('button', { name: 'Save view' }).click()
  await unreached(page).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await unreached(page).waitFor({ state: 'hidden' })
  await page.getByTitle('Bars').click()
  await unreached(page).waitFor()
  await isWhole(page)
  await network(page, true)
  await again(page)
  await page.locator('main [role=img] svg').first().waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name of the view').waitFor()
  await isWhole(page)
})

test('a language whose words fail to load leaves the portal in its current language', async () => {
  const page = await atTransactions()
  await page.getByRole('button', { name: /your account/ }).click()
  await network(page, false)
  await page.getByRole('menuitem', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await unreached(page).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  await network(page, true)
  await page.getByRole('button', { name: /your account/ }).click()
  await page.getByRole('menuitem', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { level: 1, name: 'Transaktionen' }).waitFor()
  await isWhole(page)
})

test('on a slow network the palette receives all keys from its opening on, and nothing below it does', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const portal = await aPortal()
  const { id: merchantId } = await aMerchant(portal.database)
  const person = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await aPage({ baseURL: portal.url })
  page.setDefaultTimeout(20_000)
  await page.route(`**${fileOfPortal('second')}`, async (route) => {
    await arrived
    await route.continue()
  })
  await signIn(page, person, '/dashboard')
  await page.evaluate('window.isTheSame = true')
  await page.getByRole('link', { name: 'Machines', exact: true }).focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'attached' })
  await page.keyboard.press('n')
  await page.keyboard.press('?')
  expect(await page.getByRole('dialog').count()).toBe(1)
  arrive()
  await page.getByRole('textbox', { name: 'Search' }).waitFor()
  expect(await page.evaluate('window.isTheSame')).toBe(true)
})
