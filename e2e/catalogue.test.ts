import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { planFleet } from '#demo/fleet/fleet.ts'
import { startFleet } from '#simulator/fleet.ts'
import type { MachinePlan } from '#simulator/plan.ts'
import { aFreePort, openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'

/* From a product to the right price in each machine: simulated machines take the prices, and a technician changes one. */

let portal: Awaited<ReturnType<typeof openPortal>>
let broker: string
beforeAll(async () => {
  const mqttPort = await aFreePort()
  broker = `mqtt://127.0.0.1:${mqttPort}`
  portal = await openPortal({ MQTT_PORT: String(mqttPort) }, ['api', 'gateway'])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const sheet = `Code;Name;Type;VAT;Cost
ESPR;Coffee, short;A;10;0,12
LUNG;Coffee, long;A;10;0,13
TEA;Tea with lemon;A;10;0,09
`
const planned = 'ESPR\t120\t20\t120\t0,65\nLUNG\t120\t20\t120\t0,65\nTEA\t120\t20\t120\t0,60'
  .split('\n')
  .map((line, at) => `${at + 1}\t${line}`)
  .join('\n')

/** A machine without customers and faults, which has price table 1 alone. */
function aPlan(machine: TestMachine, wares: readonly { code: string; price: number }[]): MachinePlan {
  const [model] = planFleet({ seed: 'prices', machines: 1, salesPerDay: 1, secretKey: '' })
  if (!model) throw new Error('No machine was planned')
  const { serial, secret } = machine
  return {
    ...model.plan,
    serial,
    secret,
    behaviour: 'success',
    trouble: 1e-9,
    driftSeconds: 0,
    rhythm: model.plan.rhythm.map(() => 0),
    payments: model.plan.payments.map((_, at) => (at === 0 ? 1 : 0)),
    selections: wares.map(({ code, price }, at) => {
      const prices = Array.from({ length: 8 }, () => price)
      return { line: at + 1, product: code, code, prices, weight: 1, capacity: 120 }
    }),
  }
}

const paste = (page: Page, text: string) =>
  page.evaluate((data) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', data)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)

test('coffee becomes dearer in three machines; the machine that was edited on the device is listed as wrong', async () => {
  const merchant = await aMerchant(portal.database)
  const admin = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const names = ['Lobby', 'Canteen', 'Gate']
  const machines = await Promise.all(names.map((name) => aMachine(portal.database, merchant.id, { name })))
  const [lobby, canteen, gate] = machines as [TestMachine, TestMachine, TestMachine]
  const espresso = { code: 'ESPR', price: 60 }
  const tea = { code: 'TEA', price: 60 }
  const wares = [espresso, { code: 'LUNG', price: 65 }, tea]
  const folder = mkdtempSync(join(tmpdir(), 'gettone-prices-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fleet = startFleet({
    // The last one has one price, so that the technician changes this.
    members: [aPlan(lobby, wares), aPlan(canteen, wares), aPlan(gate, [espresso])].map((plan) => ({
      plan,
      lastSeq: 0,
    })),
    broker,
    folder,
    priceEdits: 0,
  })
  onTestFinished(() => fleet.stop())

  const page = await signedIn(portal, admin, '/manage/imports/create?kind=products')
  await page.locator('input[type=file]').setInputFiles({
    name: 'products.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet),
  })
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByText('3 rows imported').waitFor()
  await page.goto(new URL('/manage/products', page.url()).href)
  await page.locator('main [data-row]').filter({ hasText: 'Coffee, long' }).waitFor()

  await page.goto('/manage/planograms/create')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Hot drinks')
  await page.getByRole('button', { name: 'Add selection' }).click()
  // Products load after the grid is shown; a paste of the same rows replaces them.
  await vi.waitFor(
    async () => {
      await page.getByRole('gridcell').first().click()
      await paste(page, planned)
      await page.getByRole('gridcell', { name: /Tea with lemon/ }).waitFor({ timeout: 500 })
    },
    { timeout: 20_000 },
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Hot drinks' }).waitFor()
  const planogramPath = new URL(page.url()).pathname

  await page.goto('/devices/list')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await page.getByRole('button', { name: 'Assign planogram' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Planogram' }).click()
  await page.getByRole('option', { name: 'Hot drinks' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Assign/ })
    .click()
  await page.getByText('3 machines assigned').waitFor()

  await page.goto(planogramPath)
  await page.getByRole('link', { name: 'Change prices' }).click()
  await page.getByText('3 machines selected').waitFor()
  await page.getByRole('radio', { name: 'Products' }).check({ force: true })
  await page.getByLabel('Product name contains').fill('coffee')
  await page.getByRole('checkbox', { name: 'All price lists' }).check()
  const next = page.getByRole('button', { name: 'Next', exact: true })
  await next.click()
  await page.getByRole('radio', { name: /by a percentage/ }).click()
  await page.getByRole('textbox', { name: 'Percentage' }).fill('5')
  await next.click()
  await page.getByRole('radio', { name: 'By machine' }).check({ force: true })
  await page.getByRole('button', { name: /^Change \d+ prices of 3 machines$/ }).click()
  await page.getByText('Prices are on their way to 3 machines.').waitFor()

  const pricesOf = async ({ id }: TestMachine) => {
    await page.goto(`/devices/${id}/prices`)
    return page.getByRole('region', { name: 'State of prices' })
  }
  await (await pricesOf(lobby)).getByText('16 in sync').waitFor()
  // 0,60 and 0,65 raised by 5 % are 0,63 and 0,6825; the tea keeps its price.
  for (const [product, price] of Object.entries({
    'Coffee, short': '0,65',
    'Coffee, long': '0,70',
    'Tea with lemon': '0,60',
  }))
    await page.locator('main [data-row]').filter({ hasText: product }).filter({ hasText: price }).waitFor()
  await (await pricesOf(canteen)).getByText('16 in sync').waitFor()
  const atGate = await pricesOf(gate)
  await atGate.getByText('8 in sync').waitFor()
  fleet.act(gate.serial, 'editPrice')
  await atGate.getByText('1 edited on the device').waitFor()

  // A sale between edit and command leaves a loss of its own.
  await page.goto('/devices/wrong-prices?statuses=wrong')
  const wrong = page.locator('main [data-row]')
  await wrong.filter({ hasText: 'Gate' }).getByText(/0,65/).waitFor()
  expect(await wrong.count()).toBe(1)
  expect(await wrong.innerText()).toMatch(/Coffee, short.*0,60.*Reported price differs/s)
  expect(page.complaints).toEqual([])
})
