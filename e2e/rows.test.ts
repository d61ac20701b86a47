import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccounts } from '#server/identity/accounts.ts'
import { accessibilityFaults, aPage } from '#testkit/browser.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machine-data.ts'
import { openPortal } from '#testkit/portal.ts'
import { manyMachines } from '../bench/many-machines.ts'

/*
 * Long lists: all rows in one scroll, as a table and as cards, and the charts above a list. One merchant has ten thousand
 * machines, another three that sold.
 */

const password = 'Gettone-demo-1'
const patience = 60_000
const rows = 10_000

let portal: Awaited<ReturnType<typeof openPortal>>
let many: { email: string }
let few: { email: string }
beforeAll(async () => {
  portal = await openPortal()
  const { database } = portal
  const person = async (merchantId: string) => {
    const user = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
    await openAccounts(database).givePassword(user.id, password, new Date())
    return user
  }
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

async function signedIn(
  email: string,
  path: string,
  options: { width?: number } = {},
): Promise<Page & { complaints: string[] }> {
  const { width = 1440 } = options
  const page = await aPage({ baseURL: portal.url, viewport: { width, height: 844 } })
  page.setDefaultTimeout(patience)
  await page.goto(path)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const byName = '/devices/list?size=all&ord=name&ordType=ASC'
const row = (page: Page, index: number) => page.locator(`main [data-row="${index}"]:not([data-waiting])`)
const drawn = (page: Page) => page.locator('main [data-row]').count()

test('one scroll reaches the last of ten thousand rows, and opens it', async () => {
  const page = await signedIn(many.email, byName)
  await row(page, 0).getByText('Row 00001').waitFor()
  const box = page.locator('main [data-virtual]')
  const height = await box.evaluate((element) => element.scrollHeight)
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(rows + 1))
  expect(await drawn(page)).toBeLessThan(60)
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await row(page, 9_999).getByText('Row 10000').waitFor()
  expect(await drawn(page)).toBeLessThan(60)
  // The scroll bar was true from the start: nothing has grown.
  expect(Math.abs((await box.evaluate((element) => element.scrollHeight)) - height)).toBeLessThan(2)
  expect(await row(page, 9_999).getAttribute('aria-rowindex')).toBe('10001')
  await page.getByText(/–10,000 of 10,000$/).waitFor()
  await row(page, 9_999).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Row 10000' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('keys go from row to row, to the end and back, and what is selected stays so', async () => {
  const page = await signedIn(many.email, byName)
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

test('from some two hundred rows on, a page draws only those in view', async () => {
  const page = await signedIn(many.email, '/devices/list?size=500&ord=name&ordType=ASC')
  await row(page, 0).getByText('Row 00001').waitFor()
  expect(await drawn(page)).toBeLessThan(60)
  await page.locator('main [data-virtual]').evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await row(page, 499).getByText('Row 00500').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('501–1,000 of 10,000').waitFor()
  expect(page.complaints).toEqual([])
})

test('on a phone all rows are cards in one scroll', async () => {
  const page = await signedIn(many.email, byName, { width: 390 })
  await row(page, 0).getByText('Row 00001').waitFor()
  expect(await drawn(page)).toBeLessThan(40)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await row(page, 9_999).getByText('Row 10000').waitFor()
  expect(await row(page, 9_999).getAttribute('aria-setsize')).toBe(String(rows))
  expect(await drawn(page)).toBeLessThan(40)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await accessibilityFaults(page)).toEqual([])
  await row(page, 9_999).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Row 10000' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('a list with numbers is drawn as bars, as a line and as a pie, and its address says so', async () => {
  const page = await signedIn(few.email, '/devices/list?ord=name&ordType=ASC')
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
        name: new RegExp(`^${name}\\. Today: 3 rows\\. Highest: Canteen, € 3,00\\. In all: € 6,00\\.$`),
      })
      .waitFor()
    await chart.locator('svg').waitFor()
    await expect.poll(() => chart.locator('svg path').count()).toBeGreaterThan(1)
    expect(new URL(page.url()).searchParams.get('chart')).toBe(kind)
  }
  await page.getByRole('combobox', { name: 'Measure' }).selectOption('Signal')
  // Percents are no parts of a whole.
  await page.getByRole('img', { name: 'Bars. Signal: 3 rows. Highest: Canteen, 90%.' }).waitFor()
  await expect.poll(() => kinds.getByText('Pie', { exact: true }).count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('measure')).toBe('signalPercent')
  expect(await accessibilityFaults(page)).toEqual([])
  await choose('Table')
  await chart.waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.has('chart')).toBe(false)
  expect(page.complaints).toEqual([])
})
