import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, periodOf } from '#domain/period.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machine-data.ts'
import { openPortal } from '#testkit/portal.ts'
import { aPersonWithPassword, signedIn } from '#testkit/sign-in.ts'

/* What a list is asked for, while people are quicker than their browser, and the day is over. */

const timeZone = 'Europe/Rome'
let portal: Awaited<ReturnType<typeof openPortal>>
let person: { email: string }
beforeAll(async () => {
  portal = await openPortal()
  const merchant = await aMerchant(portal.database)
  await portal.database.admin('update merchants set time_zone = $2 where id = $1', [merchant.id, timeZone])
  for (const name of ['Atrium', 'Bar', 'Canteen']) {
    const machine = await aMachine(portal.database, merchant.id, { name })
    await aSale(portal.database, machine)
  }
  person = await aPersonWithPassword(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const rows = (page: Page) => page.locator('main [data-row]')
const search = (page: Page) => page.getByRole('textbox', { name: 'Name, serial, address…' })

async function machines(query = '') {
  const page = await signedIn(portal, person, `/devices/list${query}`)
  await rows(page).first().waitFor()
  return page
}

test('a search is not changed under the hands of whoever types on', async () => {
  const page = await machines()
  await search(page).pressSequentially('zzz ')
  await page.waitForURL((url) => url.searchParams.get('search') === 'zzz')
  await expect.poll(() => rows(page).count()).toBe(0)
  await search(page).pressSequentially('top')
  await page.waitForURL((url) => url.searchParams.get('search') === 'zzz top')
  expect(await search(page).inputValue()).toBe('zzz top')
  // Who clears it right after a letter has it cleared.
  await search(page).pressSequentially('s')
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await rows(page).first().waitFor()
  expect(await search(page).inputValue()).toBe('')
})

test('a search that is typed right before its list is left goes nowhere', async () => {
  const page = await machines()
  await search(page).fill('Canteen')
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Alarms' }).click()
  await page.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor()
  // Longer than a search waits for the next letter.
  await page.waitForTimeout(600)
  expect(new URL(page.url()).searchParams.has('search')).toBe(false)
  await page.goBack()
  await rows(page).nth(2).waitFor()
  expect(new URL(page.url()).searchParams.has('search')).toBe(false)
})

test('ticks that follow each other quickly all count', async () => {
  const page = await machines()
  await page
    .locator('main')
    .getByRole('button', { name: /^State/, expanded: false })
    .click()
  const choices = page.getByRole('dialog', { name: /^State/ }).getByRole('checkbox')
  await choices.first().waitFor()
  await choices.evaluateAll((boxes) => {
    for (const box of boxes.slice(0, 3)) (box as HTMLInputElement).click()
  })
  await page.waitForURL((url) => url.searchParams.getAll('states').length === 3)
})

test('a list of today that stays open is of the new day after midnight', async () => {
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

test('a page beyond the end becomes the last one, and nobody is told on the way that there is nothing', async () => {
  const page = await machines()
  const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>()
  await page.route(/\/pos\/paged\?.*page=1&/, async (route) => {
    await mayCome
    await route.continue()
  })
  await page.goto('/devices/list?page=999')
  await page.waitForURL((url) => url.searchParams.get('page') === '1')
  expect(await page.getByText('No machine yet').count()).toBe(0)
  await page.locator('main [aria-busy=true]').first().waitFor()
  letCome()
  await rows(page).nth(2).waitFor()
})
