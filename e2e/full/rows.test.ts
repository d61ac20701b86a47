import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { overflow, sizes } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { manyMachines } from '../../bench/many-machines.ts'

/* Long lists: all rows in one scroll, as a table and as cards, and the charts above a list. One merchant has ten
   thousand machines, another has three with sales. */

const patience = 60_000
const rows = 10_000

let portal: Awaited<ReturnType<typeof openPortal>>
let many: { email: string }
let few: { email: string }
beforeAll(async () => {
  portal = await openPortal()
  const { database } = portal
  const person = (merchantId: string) => aUserWithPassword(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const large = await aMerchant(database)
  await manyMachines((text, values) => database.admin(text, values), large.id, rows)
  many = await person(large.id)
  const small = await aMerchant(database)
  for (const [index, name] of ['Atrium', 'Bar', 'Canteen'].entries()) {
    const machine = await aMachine(database, small.id, { name, columns: { signal_percent: 30 * (index + 1) } })
    await aSale(database, machine, { value: 100 * (index + 1) })
  }
  few = await person(small.id)
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const byName = '/devices/list?size=all&ord=name&ordType=ASC'
const row = (page: Page, index: number) => page.locator(`main [data-row="${index}"]:not([data-waiting])`)
const drawn = (page: Page) => page.locator('main [data-row]').count()

test('one scroll reaches the last of ten thousand rows, and opens it', async () => {
  const page = await signedIn(portal, many, byName)
  await row(page, 0).getByText('Row 00001').waitFor()
  const box = page.locator('main [data-virtual]')
  const height = await box.evaluate((element) => element.scrollHeight)
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(rows + 1))
  expect(await drawn(page)).toBeLessThan(60)
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await row(page, 9_999).getByText('Row 10000').waitFor()
  expect(await drawn(page)).toBeLessThan(60)
  // The scroll bar had its final size from the start.
  expect(Math.abs((await box.evaluate((element) => element.scrollHeight)) - height)).toBeLessThan(2)
  expect(await row(page, 9_999).getAttribute('aria-rowindex')).toBe('10001')
  await page.getByText(/–10\.000 of 10\.000$/).waitFor()
  await row(page, 9_999).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Row 10000' }).waitFor()
  // The row is gone with its list; the focus is on the opened page.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  expect(page.complaints).toEqual([])
})

test('keys move from row to row, to the end and back, and the selection stays', async () => {
  const page = await signedIn(portal, many, byName)
  await row(page, 0).getByText('Row 00001').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-row'))
  await row(page, 0).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('1')
  await page.keyboard.press('x')
  await page.getByRole('toolbar').getByText('1 selected').waitFor()
  await page.keyboard.press('End')
  await expect.poll(focused).toBe('9999')
  await row(page, 9_999).getByText('Row 10000').waitFor()
  await page.keyboard.press('PageUp')
  await expect.poll(focused).toMatch(/^99[89]\d$/)
  expect(await focused()).not.toBe('9999')
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe('0')
  await row(page, 1).getByText('Row 00002').waitFor()
  expect(await row(page, 1).getAttribute('aria-selected')).toBe('true')
  await page.getByRole('toolbar').getByText('1 selected').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
})

test('the first arrow on a list moves to the first visible row; Esc returns the arrows to the page', async () => {
  const page = await signedIn(portal, few, '/devices/list?ord=name&ordType=ASC')
  const first = page.locator('main [data-row]').first()
  await first.getByText('Atrium').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-row]')?.textContent ?? '')
  expect(await focused()).toBe('')
  await page.keyboard.press('ArrowUp')
  expect(await focused()).toBe('')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toContain('Atrium')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toContain('Bar')
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('')
  // A focused field or button keeps its keys.
  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('')
})

test('arrows continue from the first visible row of a long scroll', async () => {
  const page = await signedIn(portal, many, byName)
  await row(page, 0).getByText('Row 00001').waitFor()
  const box = page.locator('main [data-virtual]')
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
  await expect.poll(() => row(page, 5_000).count(), { timeout: patience }).toBe(1)
  await page.keyboard.press('j')
  const at = () => page.evaluate(() => Number(document.activeElement?.getAttribute('data-row') ?? 0))
  await expect.poll(at, { timeout: patience }).toBeGreaterThan(4_900)
  const begun = await at()
  const top = () => box.evaluate((element) => element.scrollTop)
  const before = await top()
  await page.keyboard.press('ArrowDown')
  await expect.poll(at).toBe(begun + 1)
  expect(await top()).toBe(before)
})

test('back from a row opens the previous page of the list; the menu opens the first page', async () => {
  const page = await signedIn(portal, many, '/devices/list')
  const pageOf = (number: string) =>
    page.waitForURL((url) => url.pathname === '/devices/list' && url.searchParams.get('page') === number)
  const inMenu = page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: 'Machines', exact: true })
  const says = () => Object.fromEntries(new URL(page.url()).searchParams)
  const open = async () => {
    await page.locator('main [data-row]').first().press('Enter')
    await page.waitForURL((url) => url.pathname !== '/devices/list')
  }
  const back = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Machines' })
  // Before the first answer, the second page is unknown.
  await page.locator('main [data-row]').first().waitFor()
  await page.getByRole('button', { name: 'Serial', exact: true }).click()
  await page.waitForURL(/ord=serial/)
  await page.keyboard.press('n')
  await pageOf('2')
  await open()
  await back.click()
  await pageOf('2')
  expect(says()).toMatchObject({ ord: 'serial' })
  await open()
  await inMenu.first().click()
  await page.waitForURL((url) => url.pathname === '/devices/list' && url.searchParams.get('ord') === 'serial')
  expect(says()).not.toHaveProperty('page')
  await open()
  await back.click()
  await page.waitForURL((url) => url.pathname === '/devices/list' && url.searchParams.get('ord') === 'serial')
  expect(says()).not.toHaveProperty('page')
})

test('two quick clicks on the next page show the third', async () => {
  const { database } = portal
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const at = Date.now()
  for (let n = 1; n <= 50; n++)
    await aSale(database, machine, {
      created_at: new Date(at - n * 1000),
      product: `Sale ${String(n).padStart(2, '0')}`,
    })
  const person = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const page = await signedIn(portal, person, '/transactions?period=last7Days')
  await page.getByText('Sale 01').waitFor()
  const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>()
  await page.route(/\/transactions\?.*page=2/, async (route) => {
    await mayCome
    await route.continue()
  })
  const next = page.getByRole('button', { name: 'Next page' })
  await next.click()
  await page.waitForURL(/page=2/)
  await next.click()
  await page.waitForURL(/page=3/)
  letCome()
  await page.getByText('Sale 41').waitFor()
  expect(await drawn(page)).toBe(10)
})

test('in one scroll, old rows do not replace rows that failed to load', async () => {
  const page = await signedIn(portal, many, byName)
  await row(page, 0).getByText('Row 00001').waitFor()
  await page.route(/search=00077/, (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('textbox', { name: 'Name, serial, address…' }).fill('00077')
  await page.locator('main').getByRole('alert').waitFor()
  expect(await drawn(page)).toBe(0)
})

test('passing rows are counted but not drawn, rows at rest are drawn in full; the pointer hovers over no passing row', async () => {
  const page = await signedIn(portal, many, byName)
  await row(page, 0).getByText('Row 00001').waitFor()
  const box = page.locator('main [data-virtual]')
  const seen = await box.evaluate(async (element) => {
    const seen = { passing: 0, untouched: 0, ranges: 0 }
    for (let step = 0; step < 40; step += 1) {
      element.scrollBy(0, 900)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const view = element.getBoundingClientRect()
      const inView = [...element.querySelectorAll('[data-row]')].filter((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return bottom > view.top && top < view.bottom
      })
      if (inView.length === 0) seen.passing += 1
      const body = element.querySelector('tbody')
      if (/^[\d,]+–[\d,]+ of [\d,]+$/.test(body?.innerText.trim() ?? '')) seen.ranges += 1
      if (body && getComputedStyle(body).pointerEvents === 'none') seen.untouched += 1
    }
    return seen
  })
  expect(seen.passing).toBeGreaterThan(10)
  expect(seen.untouched).toBeGreaterThan(0)
  // The position is still shown.
  expect(seen.ranges).toBeGreaterThan(10)
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll('main [data-row]')]
    return rows.length > 10 && rows.every((one) => !one.hasAttribute('data-waiting'))
  })
  const first = await page.locator('main [data-row]').first().getAttribute('data-row')
  expect(Number(first)).toBeGreaterThan(400)
  await page.locator('main [data-row]').nth(6).getByRole('checkbox').check()
  await page.getByText('1 selected').waitFor()
  expect(page.complaints).toEqual([])
})

test('from about two hundred rows on, a page draws only the rows in view', async () => {
  const page = await signedIn(portal, many, '/devices/list?size=500&ord=name&ordType=ASC')
  await row(page, 0).getByText('Row 00001').waitFor()
  expect(await drawn(page)).toBeLessThan(60)
  await page.locator('main [data-virtual]').evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await row(page, 499).getByText('Row 00500').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('501–1.000 of 10.000').waitFor()
  expect(page.complaints).toEqual([])
})

test('on a phone all rows are cards in one scroll', async () => {
  const page = await signedIn(portal, many, byName, { viewport: sizes.phone })
  await row(page, 0).getByText('Row 00001').waitFor()
  expect(await drawn(page)).toBeLessThan(40)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await row(page, 9_999).getByText('Row 10000').waitFor()
  expect(await row(page, 9_999).getAttribute('aria-setsize')).toBe(String(rows))
  expect(await drawn(page)).toBeLessThan(40)
  expect(await overflow(page)).toBe(0)
  expect(await accessibilityFaults(page)).toEqual([])
  await row(page, 9_999).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Row 10000' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('a list with numbers is drawn as bars, as a line and as a pie, and its address contains the choice', async () => {
  const page = await signedIn(portal, few, '/devices/list?ord=name&ordType=ASC')
  await page.locator('main [data-row]').first().waitFor()
  const kinds = page.getByRole('radiogroup', { name: 'Table or chart' })
  const chart = page.locator('main figure').getByRole('img')
  const choose = (name: string) => kinds.getByText(name, { exact: true }).click({ force: true })
  for (const [name, kind] of [
    ['Bars', 'bar'],
    ['Lines', 'line'],
    ['Pie', 'pie'],
  ] as const) {
    await choose(name)
    await page
      .getByRole('img', {
        name: new RegExp(`^${name}\\. Sales today: 3 rows\\. Highest: Canteen, € 3,00\\. Total: € 6,00\\.$`),
      })
      .waitFor()
    await chart.locator('svg').waitFor()
    await expect.poll(() => chart.locator('svg path').count()).toBeGreaterThan(1)
    expect(new URL(page.url()).searchParams.get('chart')).toBe(kind)
  }
  await page.getByRole('combobox', { name: 'Measure' }).selectOption('Signal')
  // Percentages are not parts of a whole.
  await page.getByRole('img', { name: 'Bars. Signal: 3 rows. Highest: Canteen, 90%.' }).waitFor()
  await expect.poll(() => kinds.getByText('Pie', { exact: true }).count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('measure')).toBe('signalPercent')
  expect(await accessibilityFaults(page)).toEqual([])
  await choose('Table')
  await chart.waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.has('chart')).toBe(false)
  expect(page.complaints).toEqual([])
})
