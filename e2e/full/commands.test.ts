import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { windowIn } from '#domain/commands/command-window.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'

/* Windows, parameters and missing features of commands in the wizard. No machine connects: sent commands stay pending. */

const timeZone = 'Europe/Rome'
let product: Awaited<ReturnType<typeof openPortal>>
let merchantId: string
let provider: { email: string }
let inMerchant: string
beforeAll(async () => {
  product = await openPortal()
  merchantId = (await aMerchant(product.database, { time_zone: timeZone })).id
  provider = await aUserWithPassword(product.database, 'superAdmin')
  inMerchant = `merchant=${merchantId}`
}, 180_000)
afterAll(() => product?.stop(), 60_000)

/** A machine that is offline since yesterday. */
const anOffline = () =>
  aMachine(product.database, merchantId, {
    columns: { connection: 0, last_seen_at: new Date(Date.now() - 25 * 3_600_000) },
  })

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const outcomeOf = (page: Page, machine: TestMachine) =>
  page.getByRole('list', { name: 'Results by machine' }).getByRole('listitem').filter({ hasText: machine.name })

test('a command is scheduled in a window of the machine’s own clock, and shows that window', async () => {
  const machine = await anOffline()
  const page = await signedIn(product, provider, `/devices/remote-commands?${inMerchant}&posIds=${machine.id}`)
  await page.getByText('1 machine selected').waitFor()
  await next(page).click()
  await page.getByRole('radio', { name: /^Restart/ }).click()
  await next(page).click()
  await page.getByRole('radio', { name: /In a time window/ }).click()
  await page.getByRole('textbox', { name: 'From' }).fill('25')
  await page.getByText('Enter a day and two times').waitFor()
  expect(await next(page).isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'From' }).fill('1.30')
  await page.getByRole('textbox', { name: 'To' }).fill('04:15')
  const zones = page.getByRole('list', { name: 'Window per time zone' })
  await zones.getByText(timeZone).waitFor()
  expect(await zones.innerText()).toMatch(/01:30 – .*04:15/s)
  await next(page).click()
  await page.getByText('1 machine will restart').waitFor()
  await page.getByRole('button', { name: 'Send to 1 machine' }).click()
  await outcomeOf(page, machine)
    .getByText(/^Starts at .*01:30/)
    .waitFor()
  const [stored] = await product.database.admin<{ not_before: Date; expires_at: Date; created_at: Date }>(
    'select not_before, expires_at, created_at from remote_commands where machine_id = $1',
    [machine.id],
  )
  const tomorrow = new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone }).format(
    new Date((stored?.created_at.getTime() ?? 0) + 24 * 3_600_000),
  )
  const window = windowIn(timeZone, { day: tomorrow, from: '01:30', until: '04:15' })
  expect(stored).toMatchObject({ not_before: window.notBefore, expires_at: window.expiresAt })
  expect(page.complaints).toEqual([])
})

test('a command’s parameters are validated on input, sent, and shown with it', async () => {
  const machine = await anOffline()
  const page = await signedIn(product, provider, `/devices/remote-commands?${inMerchant}&posIds=${machine.id}`)
  await page.getByText('1 machine selected').waitFor()
  await next(page).click()
  await page.getByRole('radio', { name: /^Send prices/ }).click()
  expect(await next(page).isDisabled()).toBe(true)
  await page.getByLabel('Selection of price 1').fill('12')
  await page.getByLabel('Price 1', { exact: true }).fill('one twenty')
  await page.getByLabel('Price 1', { exact: true }).blur()
  await page.getByText('Enter a number').waitFor()
  expect(await next(page).isDisabled()).toBe(true)
  await page.getByLabel('Price 1', { exact: true }).fill('1,20')
  await page.getByRole('button', { name: 'Add line' }).click()
  await page.getByLabel('Selection of price 2').fill('31')
  await page.getByLabel('Price list of price 2').selectOption('Key 1')
  await page.getByLabel('Price 2', { exact: true }).fill('0,80')
  await next(page).click()
  await next(page).click()
  await page.getByText('1 machine will sell at these prices.').waitFor()
  await page.getByRole('table', { name: 'Prices' }).getByRole('row').nth(1).waitFor()
  await page.getByRole('button', { name: 'Send to 1 machine' }).click()
  await outcomeOf(page, machine).getByText('Scheduled').waitFor()
  const [stored] = await product.database.admin('select parameters from remote_commands where machine_id = $1', [
    machine.id,
  ])
  expect(stored).toEqual({
    parameters: {
      prices: [
        { selection: '12', price: 120 },
        { selection: '31', priceTable: 2, price: 80 },
      ],
    },
  })
  await page.goto(`/devices/${machine.id}/remote-commands?${inMerchant}`)
  await page.locator('main [data-row]').first().press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Send prices' })
  await drawer.getByRole('table', { name: 'Prices' }).waitFor()
  await drawer.getByText(/Machine offline. Last seen/).waitFor()
  expect(page.complaints).toEqual([])
})

test('cash refunds are offered only to merchants with recyclers', async () => {
  const offered = async (productFamilies: readonly ('cashlogy' | 'gettone')[]) => {
    const { id: merchantId } = await aMerchant(product.database, { productFamilies })
    const person = await aUserWithPassword(product.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
    const machine = await aMachine(product.database, merchantId)
    const page = await signedIn(product, person, `/devices/remote-commands?posIds=${machine.id}`)
    await page.getByText('1 machine selected').waitFor()
    await next(page).click()
    await page.getByRole('radio', { name: /^Send credit/ }).waitFor()
    expect(page.complaints).toEqual([])
    return { isOffered: (await page.getByRole('radio', { name: /^Refund cash/ }).count()) === 1, page, machine }
  }
  expect(await offered([])).toMatchObject({ isOffered: false })
  expect(await offered(['gettone'])).toMatchObject({ isOffered: false })
  const { isOffered, page, machine } = await offered(['cashlogy'])
  expect(isOffered).toBe(true)

  // The feature is switched off while the page is open: the machine is refused with a message.
  await page.getByRole('radio', { name: /^Refund cash/ }).click()
  await page.getByRole('textbox', { name: 'Cash per machine' }).fill('1')
  await next(page).click()
  await next(page).click()
  await product.database.admin('update merchant_features set product_families = $2 where merchant_id = $1', [
    machine.merchantId,
    [],
  ])
  await page.getByRole('button', { name: 'Send to 1 machine' }).click()
  await outcomeOf(page, machine).getByText('The required product family is turned off for this merchant.').waitFor()
})
