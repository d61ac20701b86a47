import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* Numbers that agree with their lists, dialogs and searches that explain themselves, and names in place of codes. */

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const rows = (page: Page) => page.locator('main [data-row]')
const main = (page: Page) => page.locator('main')

/** A merchant with its own machines: two need attention, five do not. */
async function aShop() {
  const { id: merchantId } = await aMerchant(product.database)
  const columns = { connection: 1, last_seen_at: new Date() }
  const make = (name: string, more: Record<string, unknown> = {}) =>
    aMachine(product.database, merchantId, { name, columns: { ...columns, ...more } })
  const blocked = await make('Canteen', { pos_status: 3 })
  const alarmId = await anAlarm(product.database, blocked, { code: 'EJC_12' })
  await make('Depot', { connection: 0 })
  const well = []
  for (const name of ['Anteroom', 'Bar', 'Foyer', 'Gallery', 'Hall']) well.push(await make(name))
  const person = await aUserWithPassword(product.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  return { merchantId, person, blocked, alarmId, well }
}

test('the number of machines that need attention is the same on dashboard, footer, tab and list', async () => {
  const { person } = await aShop()
  const page = await signedIn(product, person, '/dashboard')
  await main(page).getByRole('link', { name: 'View all 2 needing attention' }).click()
  await page.waitForURL((url) => url.pathname === '/devices/list')
  await rows(page).first().waitFor()
  expect(await rows(page).count()).toBe(2)
  const tab = page.getByRole('group', { name: 'Views' }).getByRole('button', { name: /^Needs attention/ })
  expect(await tab.innerText()).toContain('2')
  expect(page.complaints).toEqual([])
})

test('shift selects a range, a search shows matches outside the filters, and the palette restarts a machine', async () => {
  const { person, blocked } = await aShop()
  const page = await signedIn(product, person, '/devices/list?ord=name&ordType=ASC')
  await rows(page).nth(6).waitFor()
  const tick = (row: number) => rows(page).nth(row).getByRole('checkbox')
  await tick(1).click()
  await tick(4).click({ modifiers: ['Shift'] })
  await expect.poll(() => main(page).locator('[data-row][data-selected=true]').count()).toBe(4)

  await page.goto(`/devices/list?posStatus=1&search=${blocked.serial}`)
  await page.getByRole('button', { name: '1 result outside these filters' }).click()
  await page.waitForURL(
    (url) => !url.searchParams.has('posStatus') && url.searchParams.get('search') === blocked.serial,
  )
  await expect.poll(() => rows(page).count()).toBe(1)

  await page.keyboard.press('Control+k')
  const search = page.getByRole('textbox', { name: 'Search' })
  await search.waitFor()
  const top = async () => (await search.boundingBox())?.y
  // Its position is final.
  await expect
    .poll(async () => (await top()) === (await new Promise((wait) => setTimeout(wait, 200)).then(top)))
    .toBe(true)
  const before = await top()
  await search.fill('restart cant')
  await page.locator('[data-action]').filter({ hasText: 'Restart Canteen' }).waitFor()
  expect(await top()).toBe(before)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.locator('[data-action]').filter({ hasText: 'Restart Canteen' }).click()
  const question = page.getByRole('dialog', { name: 'Restart Canteen?' })
  await question.getByRole('button', { name: 'Don’t send' }).waitFor()
  await question.getByRole('button', { name: 'Restart machine' }).click()
  await page.getByText('Command sent to Canteen').waitFor()
  // Only users' commands: the product itself requests audits by its own schedule.
  const sent = await product.database.admin(
    'select type from remote_commands where machine_id = $1 and created_by is not null',
    [blocked.id],
  )
  expect(sent).toEqual([{ type: 4 }])
  expect(page.complaints).toEqual([])
})

test('the change log uses words, a chart draws all rows, and money follows the language on request', async () => {
  const { person, merchantId, alarmId, well } = await aShop()
  const at = '2026-11-20T11:00:00Z'
  await product.database.admin(
    `insert into change_log (merchant_id, id, at, user_id, user_name, action, subject_type, subject_id, after)
     values ($1, gen_random_uuid(), $2, $3, 'Anna', 'alarm.repair', 'alarm', $4, $5)`,
    [merchantId, at, person.id, alarmId, JSON.stringify({ status: 'repairedManually' })],
  )
  for (const machine of well) await aSale(product.database, machine, { created_at: new Date(), value: 123_450 })
  const page = await signedIn(product, person, '/manage/audit-log')
  const entry = rows(page).filter({ hasText: 'Spiral' })
  await entry.getByText('Alarm · Canteen').waitFor()
  await entry.click({ position: { x: 200, y: 10 } })
  await page.getByRole('dialog').getByText('Repaired manually').first().waitFor()

  await page.goto('/devices/list?chart=bar&measure=salesToday&size=10')
  await page.getByText('Today: 7 rows').waitFor()
  await page.getByText('€ 1.234,50').first().waitFor()
  await page.goto('/settings/profile')
  await page.getByRole('radio', { name: 'By language' }).or(page.getByText('By language')).first().click()
  await page.getByText('For example 3,365 and €1,234.50').waitFor()
  await page.goto('/devices/list')
  await page.getByText('€1,234.50').first().waitFor()
  expect(page.complaints).toEqual([])
})
