import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, periodOf } from '#domain/time/period.ts'
import { accessibilityFaults, type PageOptions } from '#testkit/browser/browser.ts'
import { overflow, settled, sizes } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { filterBar, filterChip, openFilter, openFilters } from '#testkit/list-filters.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

/* Filters of a list when users are faster than their browser, and after midnight. */

const timeZone = 'Europe/Rome'
let portal: Awaited<ReturnType<typeof openPortal>>
let merchant: Awaited<ReturnType<typeof aMerchant>>
beforeAll(async () => {
  portal = await openPortal()
  merchant = await aMerchant(portal.database)
  await portal.database.admin('update merchants set time_zone = $2 where id = $1', [merchant.id, timeZone])
  for (const name of ['Atrium', 'Bar', 'Canteen']) {
    const machine = await aMachine(portal.database, merchant.id, { name })
    await aSale(portal.database, machine)
  }
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const rows = (page: Page) => page.locator('main [data-row]')
const search = (page: Page) => page.getByRole('textbox', { name: 'Name, serial, address…' })

/** A list's last filters are saved for its user, a moment after they are set: each page has a user of its own. */
const aPerson = (merchantId: string) =>
  aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])

async function machines(query = '', options: Partial<PageOptions> = {}) {
  const page = await signedIn(portal, await aPerson(merchant.id), `/devices/list${query}`, options)
  await rows(page).first().waitFor()
  return page
}

test('a search field keeps what the user types while results arrive', async () => {
  const page = await machines()
  await search(page).pressSequentially('zzz ')
  await page.waitForURL((url) => url.searchParams.get('search') === 'zzz')
  await expect.poll(() => rows(page).count()).toBe(0)
  await search(page).pressSequentially('top')
  await page.waitForURL((url) => url.searchParams.get('search') === 'zzz top')
  expect(await search(page).inputValue()).toBe('zzz top')
  // A clear right after a letter works.
  await search(page).pressSequentially('s')
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await rows(page).first().waitFor()
  expect(await search(page).inputValue()).toBe('')
})

test('a search typed just before leaving its list has no effect', async () => {
  const page = await machines()
  // In one step: on a busy machine, a click could take longer than a search waits for the next letter.
  await search(page).evaluate((input: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'Canteen')
    input.dispatchEvent(new Event('input', { bubbles: true }))
    document.querySelector<HTMLAnchorElement>('nav a[href^="/alarms"]')?.click()
  })
  await page.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor()
  // Longer than a search waits for the next letter.
  await page.waitForTimeout(600)
  expect(new URL(page.url()).searchParams.has('search')).toBe(false)
  await page.goBack()
  await rows(page).nth(2).waitFor()
  expect(new URL(page.url()).searchParams.has('search')).toBe(false)
})

test('one menu sets every filter by keyboard; each active filter is a chip, which opens its editor', async () => {
  const page = await machines()
  expect(await filterChip(page, /./).allInnerTexts()).toEqual(['Filter'])
  const add = filterBar(page).getByRole('button', { name: 'Filter', exact: true })
  await add.press('Enter')
  const menu = page.getByRole('dialog', { name: 'Filter', exact: true })
  await menu.getByRole('textbox', { name: 'Find…' }).waitFor()
  expect(await menu.getByRole('listitem').count()).toBeGreaterThan(8)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await menu.getByRole('button', { name: 'All filters: State' }).waitFor()
  await page.keyboard.press('Space')
  await page.waitForURL((url) => url.searchParams.get('states') === 'blocked')
  await settled(page)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await expect.poll(() => add.evaluate((one) => one === document.activeElement)).toBe(true)

  await filterChip(page, 'State Blocked').press('Enter')
  await page.getByRole('dialog', { name: 'State' }).getByRole('checkbox', { name: 'Selling' }).press('Space')
  await page.waitForURL((url) => url.searchParams.getAll('states').length === 2)
  await page.keyboard.press('Escape')
  await openFilter(page, 'Warranty')
  await page.keyboard.press('Escape')
  await filterBar(page).getByRole('button', { name: 'Clear filters' }).press('Enter')
  await page.waitForURL((url) => !url.searchParams.has('states'))
  await expect.poll(() => add.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(page.complaints).toEqual([])
})

test('on a phone all filters are in one sheet, which shows the number of matching rows', async () => {
  const page = await machines('', { viewport: sizes.phone })
  const sheet = await openFilters(page)
  await sheet.getByRole('button', { name: 'Show results (3)' }).waitFor()
  await sheet.getByRole('button', { name: /^State/ }).click()
  await sheet.getByRole('checkbox', { name: 'Selling' }).check()
  await sheet.getByRole('button', { name: 'Show results (0)' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Show results (0)' }).click()
  await sheet.waitFor({ state: 'detached' })
  expect(await overflow(page)).toBe(0)
  // The chip opens its filter in the sheet.
  await filterBar(page)
    .getByRole('button', { name: /^State/ })
    .click()
  expect(await filterBar(page).innerText()).toMatch(/State\s+Selling/)
  await sheet.getByRole('checkbox', { name: 'Selling' }).waitFor()
  await sheet.getByRole('button', { name: 'Clear filters' }).click()
  await sheet.getByRole('button', { name: 'Show results (3)' }).click()
  await rows(page).nth(2).waitFor()
  expect(page.complaints).toEqual([])
})

test('ticks in quick succession all count', async () => {
  const page = await machines()
  const choices = (await openFilter(page, 'State')).getByRole('checkbox')
  await choices.first().waitFor()
  await choices.evaluateAll((boxes) => {
    for (const box of boxes.slice(0, 3)) (box as HTMLInputElement).click()
  })
  await page.waitForURL((url) => url.searchParams.getAll('states').length === 3)
})

test('a filter by machine offers the first 20 and finds all others by what is typed, also by keyboard', async () => {
  const { id: merchantId } = await aMerchant(portal.database)
  for (let at = 1; at <= 25; at++)
    await aMachine(portal.database, merchantId, { name: `Vending ${String(at).padStart(2, '0')}` })
  const bytes: number[] = []
  const page = await signedIn(portal, await aPerson(merchantId), '/transactions')
  page.on('response', async (response) => {
    if (new URL(response.url()).pathname.endsWith('/pos/paged')) bytes.push((await response.body()).length)
  })
  const editor = await openFilter(page, 'Machine')
  const choices = editor.getByRole('checkbox')
  await expect.poll(() => choices.count()).toBe(20)
  await editor.getByRole('status').getByText('First 20 of 25. Type more letters to narrow the list.').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await editor.getByRole('textbox', { name: 'Find…' }).evaluate((one) => one === document.activeElement)).toBe(
    true,
  )
  await page.keyboard.type('no machine')
  await editor.getByRole('status').getByText('No results').waitFor()
  await editor.getByRole('textbox', { name: 'Find…' }).fill('25')
  await editor.getByRole('checkbox', { name: 'Vending 25' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.waitForURL((url) => url.searchParams.getAll('posIds').length === 1)
  await page.keyboard.press('Escape')
  await filterChip(page, 'Machine Vending 25').waitFor()
  // A link says the name of a machine that is not among the first.
  await page.reload()
  await filterChip(page, 'Machine Vending 25').click()
  const chosen = page.getByRole('dialog', { name: 'Machine' })
  await chosen.getByRole('checkbox', { name: 'Vending 25' }).waitFor()
  expect(await chosen.getByRole('checkbox', { name: 'Vending 25' }).isChecked()).toBe(true)
  await expect.poll(() => chosen.getByRole('checkbox').count()).toBe(21)
  await expect.poll(() => bytes.length).toBeGreaterThan(3)
  expect(Math.max(...bytes)).toBeLessThan(25_000)
  expect(page.complaints).toEqual([])
})

test('an open list of today shows the new day after midnight', async () => {
  const page = await machines()
  await page.clock.install()
  const days = new Set<string>()
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const day = searchParams.get('startDate')
    if (day && pathname.startsWith('/api/')) days.add(day)
  })
  await page.goto('/transactions')
  await page.getByRole('button', { name: 'Period Today' }).waitFor()
  const today = periodOf('today', new Date(), timeZone).startDate
  await expect.poll(() => [...days]).toEqual([today])
  await page.clock.fastForward('24:00:00')
  await expect.poll(() => [...days]).toEqual([today, addDays(today, 1)])
})

test('a page beyond the end becomes the last page, without an empty list on the way', async () => {
  const page = await machines()
  const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>()
  await page.route(/\/pos\/paged\?.*page=1&/, async (route) => {
    await mayCome
    await route.continue()
  })
  await page.goto('/devices/list?page=999')
  await page.waitForURL((url) => url.searchParams.get('page') === '1')
  expect(await page.getByText('No machines yet').count()).toBe(0)
  await page.locator('main [aria-busy=true]').first().waitFor()
  letCome()
  await rows(page).nth(2).waitFor()
})
