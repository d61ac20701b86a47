import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'

/* A failed vend is refunded where it is seen, with at most three clicks. */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

async function aPlace(start: string | ((machine: TestMachine) => string)) {
  const { database } = portal
  const { id: merchantId } = await aMerchant(database)
  await database.admin('update merchant_settings set maximum_refund = 1000 where merchant_id = $1', [merchantId])
  const machine = await aMachine(database, merchantId, { name: 'Canteen north' })
  await aMedia(database, merchantId, { serial: 'K100' })
  const failed = { media_type: 2, media_serial: 'K100', error_sale: true, value: 120, created_at: new Date() }
  await aSale(database, machine, failed)
  const operator = await aUserWithPassword(database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, operator, typeof start === 'string' ? start : start(machine))
  const clicks = { count: 0 }
  const click = async (target: Locator) => {
    clicks.count += 1
    await target.click()
  }
  const refunded = async () => {
    const [row] = await database.admin<{ amount: number }>(
      'select coalesce(sum(amount), 0)::int as amount from refunds where merchant_id = $1',
      [merchantId],
    )
    return row?.amount
  }
  return { page, machine, clicks, click, refunded }
}
const button = (page: Page | Locator) => page.getByRole('button', { name: 'Refund €\u00a01,20' })
const confirm = (page: Page) => button(page.getByRole('dialog', { name: 'Refund €\u00a01,20?' }))

test('from the dashboard, a failed vend is refunded with three clicks', async () => {
  const { page, clicks, click, refunded } = await aPlace('/dashboard')
  await click(page.getByRole('link', { name: /charged for failed vends/ }))
  await click(button(page.locator('[data-row]')))
  await click(confirm(page))
  await page.locator('[data-row]').getByText('Refunded', { exact: true }).waitFor()
  expect([clicks.count, await refunded()]).toEqual([3, 120])
  expect(page.complaints).toEqual([])
})

test('on the machine’s page, a failed vend is refunded with two clicks', async () => {
  const { page, clicks, click, refunded } = await aPlace(({ id }) => `/devices/${id}`)
  const card = page
    .getByRole('region', { name: 'Failed vends' })
    .or(page.locator('section', { hasText: 'Failed vends' }))
  await click(button(card.last()))
  await click(confirm(page))
  await card.last().getByText('Refunded', { exact: true }).waitFor()
  expect([clicks.count, await refunded()]).toEqual([2, 120])
  expect(page.complaints).toEqual([])
})

test('the palette finds the last failed vend of a machine by its name', async () => {
  const { page, clicks, click, refunded } = await aPlace('/devices/list')
  await page.getByText('Canteen north').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search' }).fill('refund last vend of canteen')
  await click(page.locator('[data-action]').filter({ hasText: 'Refund last vend of Canteen north' }))
  await click(button(page.getByRole('dialog', { name: 'Last failed vend of Canteen north' })))
  await click(confirm(page))
  await expect.poll(refunded, { timeout: 10_000 }).toBe(120)
  expect(clicks.count).toBe(3)
  expect(page.complaints).toEqual([])
})

test('a claim for a caller begins with machine and time, and the log finds the vend', async () => {
  const { page, machine, refunded } = await aPlace('/customers-medias/claims')
  await page.getByRole('link', { name: 'Open claim' }).first().click()
  await page.getByRole('combobox', { name: 'Machine' }).or(page.getByLabel('Machine')).first().fill('canteen')
  await page.getByRole('option', { name: machine.name ?? 'Canteen north' }).click()
  await page.getByRole('button', { name: 'This vend' }).click()
  await page.getByRole('textbox', { name: /^Description/ }).fill('It kept my money')
  await page.getByRole('button', { name: 'Open claim' }).click()
  await page.getByRole('heading', { level: 1, name: 'Claim 1' }).waitFor()
  await page.getByRole('button', { name: /^Refund / }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Refund / })
    .click()
  await expect.poll(refunded, { timeout: 10_000 }).toBe(120)
  expect(page.complaints).toEqual([])
})
