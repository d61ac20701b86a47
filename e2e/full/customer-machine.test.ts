import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { codeOfMachine } from '#database/key-portal/machine-place.ts'
import { aPage } from '#testkit/browser/browser.ts'
import { sizes } from '#testkit/browser/looks.ts'
import { aFreePort, openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSimulatedMachine } from '#testkit/machines/simulated.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'

/* The operator's brand and post, and a customer's key at a machine: linked, paid with, and refunded after a failed vend. */

let portal: Awaited<ReturnType<typeof openPortal>>
let broker: string
beforeAll(async () => {
  const mqttPort = await aFreePort()
  broker = `mqtt://127.0.0.1:${mqttPort}`
  portal = await openPortal({ MQTT_PORT: String(mqttPort), DEMO: 'true' }, ['api', 'gateway'])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const until = { timeout: 20_000, interval: 100 }

/** A merchant with an unpublished portal, a key with credit and a simulated machine. */
async function aPlace() {
  const { database } = portal
  const { id: merchantId } = await aMerchant(database, { name: 'Caffè Aurora' })
  const mediaId = await aMedia(database, merchantId, { serial: 'A1B2C3D4' })
  await aCredit(database, merchantId, mediaId, 1_000)
  const { serial, secret } = await aMachine(database, merchantId, { name: 'Lobby' })
  const { fleet } = await aSimulatedMachine({ serial, secret }, broker)
  return {
    database,
    merchantId,
    serial,
    fleet,
    slug: await aPortal(database, merchantId, { isPublished: false }),
  }
}

test('a key is linked with the machine’s code, pays by QR code, and gets a failed vend back', async () => {
  const { database, merchantId, serial, slug, fleet } = await aPlace()
  const email = 'owner@aurora.test'
  const admin = await aUserWithPassword(database, 'superAdmin')
  const staff = await signedIn(portal, admin, `/manage/cogeskey-portal?merchant=${merchantId}`)

  // The operator names the portal, views it before it is saved, and publishes it.
  await staff.getByLabel('Name').fill('Aurora Coffee')
  await staff.getByLabel('Color').fill('#7a1f2b')
  await staff.getByRole('button', { name: 'Preview', exact: true }).click()
  const phone = staff.getByRole('dialog').frameLocator('iframe[title="Phone"]')
  await phone.getByText('Aurora Coffee').first().waitFor()
  await vi.waitFor(
    async () =>
      expect(await phone.locator('html').evaluate((page) => getComputedStyle(page).getPropertyValue('--brand'))).toBe(
        '#7a1f2b',
      ),
    until,
  )
  await staff.getByRole('button', { name: 'Close' }).click()
  await staff.getByLabel('Published').click()
  await staff.getByRole('button', { name: 'Save' }).click()
  await staff.getByText('Portal saved').waitFor()
  await staff.goto('/admin/blogposts/create')
  await staff.getByLabel('Title in Italian').fill('Nuovo caffè')
  await staff.getByLabel('Title in English').fill('New coffee')
  await staff.getByLabel('Address').fill('new-coffee')
  await staff.getByLabel('Excerpt in Italian').fill('Dall’Etiopia')
  await staff.getByLabel('Excerpt in English').fill('From Ethiopia')
  for (const [at, text] of ['Nuovo caffè', 'A new coffee'].entries()) {
    await staff.locator('[contenteditable="true"]').nth(at).click()
    await staff.keyboard.type(text)
  }
  await staff.getByLabel('Visibility').selectOption('1')
  await staff.getByRole('button', { name: 'Save' }).click()
  await staff.getByText('Post created').waitFor()

  // A customer signs up and reads the post.
  const page = await aPage({ baseURL: portal.url, viewport: sizes.phone })
  page.setDefaultTimeout(20_000)
  await page.goto(`/key/${slug}/sign-up`)
  await page.getByLabel('Name').fill('Luca Bianchi')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Link sent').waitFor()
  const mail = await vi.waitFor(async () => {
    const [row] = await database.admin<{ text: string }>(
      'select body_text as text from mailbox where recipient = $1 order by at desc limit 1',
      [email],
    )
    return /https?:\/\/\S+/.exec(row?.text ?? '')?.[0] ?? expect.fail('no mail')
  }, until)
  await page.goto(mail)
  await page.getByText('Hello, Luca').waitFor()
  await page.goto(`/key/${slug}/news`)
  await page.getByRole('link', { name: 'New coffee' }).click()
  await page.getByText('A new coffee').waitFor()

  // The machine shows a code for the inserted key.
  const shown = await fleet.serve(serial, { action: 'link', mediaSerial: 'A1B2C3D4', mediaType: 2 })
  await page.goto(`/key/${slug}/media/link`)
  await page.getByLabel('Number on the key or card').fill('A1B2C3D4')
  await page.getByLabel('Code on the machine').fill(shown?.code ?? '')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  const credit = page.getByRole('region', { name: 'Cloud credit' })
  await credit.getByText('€ 10,00').waitFor()

  // The customer pays at the machine. The second vend fails and is charged.
  const code = await codeOfMachine(database, serial)
  const pay = async () => {
    await page.goto(`/m/${code}`)
    await page.getByLabel(/^Spend up to/).fill('3,00')
    await page.getByRole('button', { name: /^Pay/ }).click()
  }
  const creditOf = async () => {
    const [row] = await database.admin<{ credit: number }>(
      `select sum(account.balance)::int as credit from medias media
         join ledger_accounts account on account.merchant_id = media.merchant_id and account.owner_id = media.id
       where media.merchant_id = $1 and media.serial = 'A1B2C3D4'`,
      [merchantId],
    )
    return row?.credit ?? 0
  }
  await pay()
  await page.getByText('Enjoy!').waitFor()
  await vi.waitFor(async () => expect(await creditOf()).toBeLessThan(1_000), until)
  const before = await creditOf()
  await fleet.serve(serial, { action: 'spoil', fails: 'charged' })
  await pay()
  await vi.waitFor(async () => expect(await creditOf()).toBeLessThan(before), until)
  const lost = before - (await creditOf())

  // In the browser of a user, the same label leads to the machine's page of the staff's portal.
  await staff.goto(`/m/${code}`)
  await staff.waitForURL('**/devices/**')

  // The claim, its refund by staff, and the answer in the app.
  await page.getByText('took').waitFor()
  await page.getByRole('link', { name: 'Report a problem' }).click()
  expect(await page.getByLabel(/^Amount/).inputValue()).toBe((lost / 100).toFixed(2).replace('.', ','))
  await page.getByLabel('What happened?').fill('No cup')
  await page.getByRole('button', { name: 'Send claim' }).click()
  await page.getByRole('heading', { name: 'Claim sent' }).waitFor()
  await staff.goto(`/customers-medias/claims?merchant=${merchantId}`)
  await staff.getByText('Lobby').first().click()
  await staff.getByText('No cup').waitFor()
  await staff.getByRole('button', { name: /^Refund/ }).click()
  // The confirmation, over the claim's panel.
  await staff
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: /^Refund/ })
    .click()
  await staff.getByText('Refunded').first().waitFor()
  expect(await creditOf()).toBe(before)
  await page.goto(`/key/${slug}/claims`)
  await page.getByText('Refunded', { exact: true }).waitFor()
  expect(await ledgerFaults(database, merchantId)).toEqual([])
}, 90_000)
