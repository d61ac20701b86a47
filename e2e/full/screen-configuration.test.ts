import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { planFleet } from '#demo/fleet/fleet.ts'
import { startFleet } from '#simulator/fleet.ts'
import { aFreePort, openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'

/* What a screen shows: built at the desk, seen in the preview, sent, and in sync once the simulated machine shows it. */

let portal: Awaited<ReturnType<typeof openPortal>>
let broker: string
beforeAll(async () => {
  const mqttPort = await aFreePort()
  broker = `mqtt://127.0.0.1:${mqttPort}`
  portal = await openPortal({ MQTT_PORT: String(mqttPort) }, ['api', 'gateway'])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a screen configuration is built, seen in the preview, sent and in sync', async () => {
  const { database } = portal
  const merchant = await aMerchant(database, { name: 'Screens' })
  await aProduct(database, merchant.id, { code: 'ESP', name: 'Espresso' })
  await aProduct(database, merchant.id, { code: 'TEA', name: 'Tea' })
  const machine = await aMachine(database, merchant.id, { name: 'Lobby' })
  const admin = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const page = await signedIn(portal, admin, '/manage/screen-configuration-whitelist/create')

  await page.getByLabel('Serial numbers').fill(`${machine.serial}\n${machine.serial}`)
  await page.getByRole('button', { name: 'Add 2 serials' }).click()
  await page.getByText('1 serial added.').waitFor()
  await page.getByText(/^Line 2: .* – more than once in the list$/).waitFor()

  await page.goto('/manage/screen-configuration/create')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Lobby screen')
  const preview = page.getByTestId('screen-preview')
  await page.getByRole('button', { name: 'Add button' }).click()
  await page.getByRole('button', { name: 'Add button' }).click()
  const product = page
    .getByRole('combobox', { name: 'Product' })
    .or(page.getByLabel('Product', { exact: true }))
    .first()
  await product.click()
  await page.getByRole('option', { name: 'TEA · Tea' }).click()
  const shown = () => preview.locator('button[aria-roledescription]').allInnerTexts()
  await expect.poll(async () => (await shown()).map((text) => text.split('\n')[0])).toEqual(['Espresso', 'Tea'])
  // Moved by the keyboard alone.
  await preview.getByRole('button', { name: /^Tea/ }).focus()
  await page.keyboard.press('Space')
  await page.waitForTimeout(200)
  await page.keyboard.press('ArrowLeft')
  await page.waitForTimeout(300)
  await page.keyboard.press('Space')
  await expect.poll(async () => (await shown()).map((text) => text.split('\n')[0])).toEqual(['Tea', 'Espresso'])
  await page.getByText('Pictures', { exact: true }).click()
  await page.getByRole('button', { name: 'Add picture' }).click()
  await page
    .locator('input[type=file][data-kind=picture]')
    .setInputFiles({ name: 'none.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page
    .locator('input[type=file][data-kind=picture]')
    .setInputFiles({ name: 'idle.png', mimeType: 'image/png', buffer: png })
  await page.getByText('idle.png').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Lobby screen' }).waitFor()

  const [model] = planFleet({ seed: 'screens', machines: 1, salesPerDay: 1, secretKey: '' })
  if (!model) throw new Error('No machine was planned')
  const { serial, secret } = machine
  const plan = { ...model.plan, serial, secret, behaviour: 'success' as const, trouble: 1e-9, driftSeconds: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'gettone-screen-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fleet = startFleet({ members: [{ plan, lastSeq: 0 }], broker, portal: portal.url, folder, priceEdits: 0 })
  onTestFinished(() => fleet.stop())
  await page.getByRole('button', { name: 'Send to machines' }).click()
  await page.getByRole('dialog').getByLabel('Machines').click()
  await page.getByRole('option', { name: `Lobby (${serial})` }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send to 1 machine' }).click()
  await page.getByText('Sent to 1 machine').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await page
    .getByRole('tab', { name: /^Machines/ })
    .or(page.getByRole('link', { name: /^Machines/ }))
    .last()
    .click()
  await page.getByText('In sync', { exact: true }).last().waitFor({ timeout: 30_000 })
}, 90_000)
