import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults, type PageOptions } from '#testkit/browser/browser.ts'
import { overflow } from '#testkit/browser/looks.ts'
import { fileOfPortal } from '#testkit/browser/portal-file.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aGroup, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* The parts around every screen, one test per function. The simulator is off. */

const patience = 60_000

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const [aurora, sol, praha] = demoMerchants
if (!aurora || !sol || !praha) throw new Error('The demo has three merchants')

const asSuperAdmin = (path: string, options: Partial<PageOptions> = {}) =>
  signedIn(product, 'superAdmin', path, options)

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })
const switcher = (page: Page) => page.getByRole('button', { name: /, change merchant$/ })
const rows = (page: Page) => page.locator('main [data-row]')

test('the menu folds to icons with fly-out groups, and keeps its state', async () => {
  const page = await asSuperAdmin('/dashboard')
  const section = menu(page).getByRole('button', { name: 'Reports', exact: true })
  await page.getByRole('button', { name: 'Collapse menu' }).click()
  await page.getByRole('button', { name: 'Expand menu' }).waitFor()
  expect(await menu(page).getByRole('link', { name: 'Statistics' }).count()).toBe(0)
  await section.focus()
  await page.keyboard.press('Enter')
  await menu(page).getByRole('link', { name: 'Statistics' }).waitFor()
  expect(await section.getAttribute('aria-expanded')).toBe('true')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await section.getAttribute('aria-expanded')).toBe('false')
  await section.hover()
  await menu(page).getByRole('link', { name: 'Statistics' }).click()
  await page.waitForURL((url) => url.pathname === '/transactions/stats')
  await page.reload()
  await page.getByRole('button', { name: 'Expand menu' }).click()
  await page.getByRole('button', { name: 'Collapse menu' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('one group of the menu is open, that of the screen in view; a screen is pinned to the top and stays there', async () => {
  const page = await asSuperAdmin('/transactions/stats', { viewport: { width: 1366, height: 768 } })
  const group = (name: string) => menu(page).getByRole('button', { name, exact: true })
  const isOpen = async (name: string) => (await group(name).getAttribute('aria-expanded')) === 'true'
  await menu(page).getByRole('link', { name: 'Statistics' }).waitFor()
  expect(await isOpen('Reports')).toBe(true)
  await group('Platform').click()
  await menu(page).getByRole('link', { name: 'Merchants', exact: true }).waitFor()
  expect(await isOpen('Reports')).toBe(false)
  // Every group is in view beside the open one.
  for (const name of ['Machines', 'Money', 'Catalogue', 'Organisation', 'Platform'])
    expect((await group(name).boundingBox())?.y ?? 9999, name).toBeLessThan(768 - 30)
  await menu(page).getByRole('link', { name: 'Merchants', exact: true }).click()
  await page.getByRole('heading', { name: 'Merchants', level: 1 }).waitFor()

  await menu(page).getByRole('link', { name: 'Merchants', exact: true }).hover()
  await menu(page).getByRole('button', { name: 'Pin Merchants to the top' }).click()
  await page.reload()
  const first = menu(page).getByRole('list', { name: 'Today' })
  await first.getByRole('link', { name: 'Merchants', exact: true }).waitFor()
  await group('Recent pages').click()
  await first.getByRole('link', { name: 'Statistics' }).click()
  await page.waitForURL((url) => url.pathname === '/transactions/stats')
  expect(page.complaints).toEqual([])
})

test('all merchants come first, the others by name; another merchant keeps the screen', async () => {
  const page = await asSuperAdmin('/devices/list')
  await switcher(page).click()
  const names = page.getByRole('dialog').getByRole('button')
  await names.first().waitFor()
  expect((await names.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'All merchants',
    aurora.name,
    sol.name,
    praha.name,
  ])
  await names.getByText(sol.name).click()
  await page.waitForURL((url) => url.searchParams.get('merchant') === sol.id && url.pathname === '/devices/list')
  expect(page.complaints).toEqual([])
})

test('a group filter applies on every screen, is visible, and is cleared with another merchant', async () => {
  const database = product.database
  const groupId = await aGroup(database, aurora.id, 'Island')
  const other = await aGroup(database, aurora.id, 'Reef')
  await aMachine(database, aurora.id, { groupId, name: 'Alone on the island' })
  await aMachine(database, aurora.id, { groupId: other, name: 'On the reef' })
  const page = await asSuperAdmin(`/devices/list?merchant=${aurora.id}`)
  await page.getByRole('button', { name: /change groups$/ }).click()
  await page.getByRole('checkbox', { name: 'Island' }).click()
  await page.waitForURL((url) => url.searchParams.get('groups') === groupId)
  await expect.poll(() => rows(page).allInnerTexts(), { timeout: patience }).toHaveLength(1)
  expect(await rows(page).innerText()).toContain('Alone on the island')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  // On the next screen, and after a reload.
  await menu(page).getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: /^Island ?, change groups$/ }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: /^Island ?, change groups$/ }).waitFor()
  expect(new URL(page.url()).searchParams.get('groups')).toBe(groupId)
  await switcher(page).click()
  await page.getByRole('dialog').getByRole('button', { name: sol.name }).click()
  await page.waitForURL((url) => url.searchParams.get('merchant') === sol.id)
  expect(new URL(page.url()).searchParams.get('groups')).toBeNull()
  await page.getByRole('button', { name: /^All groups ?, change groups$/ }).waitFor()
  expect(page.complaints).toEqual([])
})

test('when the chosen groups cannot be fetched, the screen says so and shows no others', async () => {
  const groupId = await aGroup(product.database, aurora.id, 'Lagoon')
  await aMachine(product.database, aurora.id, { groupId, name: 'Alone in the lagoon' })
  const page = await asSuperAdmin('/settings/profile')
  const isGroups = (url: URL) => url.pathname.endsWith('/groups')
  await page.route(isGroups, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/devices/list?merchant=${aurora.id}&groups=${groupId}`)
  await page.getByRole('alert').waitFor()
  expect(await rows(page).count()).toBe(0)
  await page.unroute(isGroups)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => rows(page).allInnerTexts(), { timeout: patience }).toHaveLength(1)
  expect(await rows(page).innerText()).toContain('Alone in the lagoon')
  expect(new URL(page.url()).searchParams.get('groups')).toBe(groupId)
})

test('a menu of the top bar that is clicked before it has loaded returns the focus to its button', async () => {
  const page = await asSuperAdmin('/settings/profile')
  const menuFile = `**${fileOfPortal('second')}`
  for (const [name, role] of [
    [/, change merchant$/, 'dialog'],
    [/your account$/, 'menu'],
  ] as const) {
    const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>()
    await page.route(menuFile, async (route) => {
      await mayCome
      await route.continue()
    })
    await page.reload()
    const button = page.getByRole('button', { name })
    await button.focus()
    await page.keyboard.press('Enter')
    expect(await button.getAttribute('aria-expanded')).toBe('false')
    letCome()
    const menu = page.getByRole(role).first()
    await menu.waitFor()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    await expect.poll(() => menu.evaluate((one) => one.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.unroute(menuFile)
  }
})

test('popovers and dialogs return the focus when they close', async () => {
  const page = await asSuperAdmin('/devices/list')
  await rows(page).first().waitFor()
  const save = page.getByRole('button', { name: 'Save view' })
  for (const key of ['Enter', '?', 'Control+k']) {
    await save.focus()
    await page.keyboard.press(key)
    const dialog = page.getByRole('dialog')
    await dialog.first().waitFor()
    await expect.poll(() => dialog.first().evaluate((one) => one.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.first().waitFor({ state: 'detached' })
    await expect.poll(() => save.evaluate((one) => one === document.activeElement), { message: key }).toBe(true)
  }
})

test('a group of another merchant is removed from the address', async () => {
  const page = await asSuperAdmin(`/devices/list?merchant=${aurora.id}&groups=${praha.id}&groups=x`)
  await page.waitForURL((url) => !url.searchParams.has('groups'))
  await rows(page).first().waitFor()
  expect(page.complaints).toEqual([])
})

test('the palette finds screens, merchants and, from two letters on, machines; recently opened entries come first', async () => {
  const machine = await aMachine(product.database, aurora.id, { name: 'Quokka corner' })
  const page = await asSuperAdmin('/dashboard')
  const open = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search' }).fill(text)
  }
  const found = (name: RegExp | string) => page.locator('[data-action]').filter({ hasText: name })
  await open('quo')
  // The machine first, then its actions.
  await found('Quokka corner').first().waitFor()
  await page.keyboard.press('Enter')
  // The machine opens beside the screen; Enter again opens its page.
  await page.getByRole('dialog', { name: 'Quokka corner' }).waitFor()
  await page.waitForURL((url) => url.searchParams.get('panel') === `machine:${machine.id}`)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === `/devices/${machine.id}`)
  await open('sol')
  await found(sol.name).click()
  await page.waitForURL((url) => url.searchParams.get('merchant') === sol.id && url.pathname === '/devices/list')
  await open('alar')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/alarms')
  await open('')
  await expect.poll(() => page.locator('[data-action]').first().innerText()).toContain('Alarms')
  expect((await page.locator('[data-action]').allInnerTexts()).slice(1, 3).map((text) => text.split('\n')[0])).toEqual([
    sol.name,
    'Quokka corner',
  ])
  expect(await accessibilityFaults(page)).toEqual([])
  // A machine's page calls the simulator, which may be off in this test.
  expect(page.complaints.filter((complaint) => !complaint.includes('503'))).toEqual([])
})

test('a machine found by its address shows the address', async () => {
  await aMachine(product.database, aurora.id, { name: 'Numbat', columns: { address: 'Calle del Ornitorrinco 4' } })
  const page = await asSuperAdmin('/dashboard')
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search' }).fill('ornito')
  const found = page.locator('[data-action]').filter({ hasText: 'Numbat' })
  await expect.poll(() => found.first().innerText(), { timeout: patience }).toContain('Calle del Ornitorrinco 4')
})

test('the palette closes an open menu and receives the keys', async () => {
  const page = await asSuperAdmin('/devices/list')
  const search = page.getByRole('textbox', { name: 'Search' })
  const account = page.getByRole('button', { name: /your account$/ })
  await account.click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
  await page.keyboard.press('Control+k')
  await search.waitFor()
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor({ state: 'hidden' })
  await page.keyboard.type('alar')
  await expect.poll(() => search.inputValue()).toBe('alar')
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('dialog', { name: 'Columns' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Columns' }).waitFor({ state: 'hidden' })
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('alarms')
  await expect.poll(() => search.inputValue()).toBe('alarms')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/alarms')
})

test('keys open the existing screens, and the overlay lists them', async () => {
  const page = await asSuperAdmin('/dashboard')
  await page.keyboard.press('?')
  const overlay = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await overlay.getByText('Merchants').waitFor()
  await page.keyboard.press('Escape')
  await overlay.waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.waitForURL((url) => url.pathname === '/admin/merchants')
  expect(page.complaints).toEqual([])
})

test('language, theme and density change without a reload', async () => {
  const page = await asSuperAdmin('/devices/list')
  await page.evaluate(() => Object.assign(window, { stillHere: true }))
  const account = page.getByRole('button', { name: /your account$/ })
  await account.click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  await page.getByRole('menuitemradio', { name: 'Comfortable' }).click()
  await expect.poll(() => page.locator('html').getAttribute('data-density')).toBe('comfortable')
  await page.getByRole('menuitem', { name: 'Language' }).hover()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Automaten', level: 1 }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  expect(await page.evaluate(() => 'stillHere' in window)).toBe(true)
  await product.database.admin(`update users set language = null where email = 'superadmin@gettone.test'`)
  expect(page.complaints).toEqual([])
})

test('a feature is switched on, and the merchant’s users see its screens', async () => {
  const page = await asSuperAdmin('/admin')
  await page.waitForURL((url) => url.pathname === '/admin/merchants')
  await rows(page).filter({ hasText: praha.name }).press('Enter')
  await page.getByRole('heading', { name: praha.name, level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Merchants' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const columns = async () => {
    await page.goto(`/devices/list?merchant=${praha.id}`)
    await rows(page).first().waitFor()
    return page.getByRole('columnheader').allInnerTexts()
  }
  const setting = `${new URL(page.url()).pathname}/setting`
  expect((await columns()).join()).not.toContain('Signal')
  await page.goto(setting)
  const network = page.getByRole('switch', { name: 'Network' })
  await network.waitFor()
  expect(await network.isChecked()).toBe(false)
  await network.click({ force: true })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved.').waitFor()
  expect((await columns()).join()).toContain('Signal')
  expect(page.complaints).toEqual([])
})

test('without transaction details no address opens a transaction', async () => {
  const merchant = await aMerchant(product.database, { name: 'Bare', features: [] })
  const machine = await aMachine(product.database, merchant.id)
  const sale = await aSale(product.database, machine)
  const page = await asSuperAdmin(`/transactions/data?merchant=${merchant.id}&transaction=${sale}`)
  await rows(page).first().waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(page.complaints).toEqual([])
})

test('under all merchants a sale of a merchant without details shows a message', async () => {
  const merchant = await aMerchant(product.database, { name: 'Plain Vending', features: [] })
  const machine = await aMachine(product.database, merchant.id, { name: 'Wombat' })
  await aSale(product.database, machine)
  const page = await asSuperAdmin(`/transactions/data?merchant=${allMerchants}&search=Wombat`)
  await rows(page).filter({ hasText: 'Wombat' }).press('Enter')
  await page.getByRole('dialog').getByText('Transaction details are turned off for Plain Vending').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('a disabled feature is nowhere on a machine’s page, and leaves no gap', async () => {
  const columns = { connection: 1, signal_percent: 71, last_seen_at: new Date() }
  const bare = await aMerchant(product.database, { name: 'Without network', features: [] })
  const able = await aMerchant(product.database, { name: 'With network', features: ['network'] })
  const page = await asSuperAdmin(`/dashboard?merchant=${bare.id}`)
  const bodyOf = async (merchantId: string) => {
    const machine = await aMachine(product.database, merchantId, { columns })
    await page.goto(`/devices/${machine.id}?merchant=${merchantId}`)
    await page.getByRole('heading', { name: machine.name, level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    return page.locator('main').innerText()
  }
  expect(await bodyOf(able.id)).toContain('71%')
  expect(await bodyOf(bare.id)).not.toMatch(/71%|signal/i)
  const vends = await page.getByRole('heading', { name: 'Failed vends' }).boundingBox()
  const story = await page.getByRole('heading', { name: 'Timeline' }).boundingBox()
  const tabs = await page.getByRole('link', { name: 'Overview', exact: true }).boundingBox()
  expect(Math.abs((vends?.x ?? 0) - (tabs?.x ?? 0))).toBeLessThan(40)
  expect(Math.abs((vends?.y ?? 0) - (story?.y ?? 1000))).toBeLessThan(10)
})

test('on paper there is neither menu nor bar, and the table is complete', async () => {
  const page = await asSuperAdmin('/devices/list')
  await rows(page).first().waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await menu(page).isVisible()).toBe(false)
  expect(await page.getByRole('banner').first().isVisible()).toBe(false)
  const hidden = await page.locator('main table').evaluate((table) => {
    const paper = document.documentElement.clientWidth
    let cut = table.scrollWidth > paper ? 1 : 0
    for (let box = table.parentElement; box; box = box.parentElement)
      if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'visible') cut += 1
    return cut
  })
  expect(hidden).toBe(0)
})

test('a user without a merchant sees a message, and can sign out', async () => {
  const person = await aUserWithPassword(product.database, 'merchantUser')
  const page = await signedIn(product, person, '/dashboard')
  await page.getByRole('heading', { name: 'No merchant yet' }).waitFor()
  await page.getByText(person.email).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
  expect(page.complaints).toEqual([])
})

test.each([
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
] as const)('the admin screens are accessible at $width px, $scheme', async ({ width, scheme }) => {
  const page = await asSuperAdmin('/admin/merchants', { viewport: { width, height: 844 }, colorScheme: scheme })
  await page.getByText(praha.name).first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.goto(`/admin/merchants/${sol.id}/setting`)
  await page.getByRole('switch').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
  expect(page.complaints).toEqual([])
})
