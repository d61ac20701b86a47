import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ledgerFaults, ledgerSize } from '#database/cashless/ledger-check.ts'
import { sandboxKey, sandboxPath, sandboxServiceId } from '#server/payments/sandbox.ts'
import { aFreePort, openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant, testSecretKey } from '#testkit/fixtures.ts'
import { aSimulatedMachine } from '#testkit/machines/simulated.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aPaymentConfig, aPaymentService } from '#testkit/nouns/web-payments.ts'

/* A key's credit from the payer's page to the machine, back after a failed vend, and on to the key that replaces it. */

let portal: Awaited<ReturnType<typeof openPortal>>
let broker: string
beforeAll(async () => {
  const mqttPort = await aFreePort()
  broker = `mqtt://127.0.0.1:${mqttPort}`
  portal = await openPortal({ MQTT_PORT: String(mqttPort), DEMO: 'true' }, ['api', 'gateway'])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const until = { timeout: 20_000, interval: 100 }
const recharge = 2_000

/** A merchant with a simulated machine, an account at the sandbox and a key without credit. */
async function aPlace() {
  const { database, url } = portal
  const { id: merchantId } = await aMerchant(database, { name: 'Keys' })
  const service = { id: sandboxServiceId, name: 'Sandbox', url: `${url}${sandboxPath}`, type: 4 }
  await aPaymentService(database, service)
  const accountId = 'keys'
  await aPaymentConfig(database, merchantId, sandboxServiceId, {
    credentials: { accountId },
    secrets: { signingKey: sandboxKey(testSecretKey, accountId) },
  })
  const mediaId = await aMedia(database, merchantId, { serial: 'A1B2C3D4' })
  const { serial, secret } = await aMachine(database, merchantId, { name: 'Lobby' })
  const { fleet, selections } = await aSimulatedMachine({ serial, secret }, broker)
  const selection = selections[0]
  return {
    database,
    merchantId,
    mediaId,
    price: selection?.prices[1] ?? 0,
    sell: (mediaSerial: string, fails?: 'charged') =>
      fleet.serve(serial, {
        action: 'sell',
        mediaSerial,
        mediaType: 2,
        selection: String(selection?.line),
        ...(fails && { fails }),
      }),
    /** The free credit of a medium in the ledger. */
    creditOf: async (serialOfMedia: string) => {
      const [row] = await database.admin<{ credit: number }>(
        `select coalesce(sum(account.balance - account.reserved), 0)::int as credit from medias media
           join ledger_accounts account on account.merchant_id = media.merchant_id and account.owner_id = media.id
         where media.merchant_id = $1 and media.serial = $2`,
        [merchantId, serialOfMedia],
      )
      return row?.credit
    },
  }
}

test('credit is recharged, spent, refunded after a failed vend, and moved to the key that replaces a lost one', async () => {
  const { database, merchantId, mediaId, price, sell, creditOf } = await aPlace()
  const operator = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, operator, '/transactions/webpayment-orders')

  // The operator creates a link, and the payer pays.
  await page.getByRole('button', { name: 'New payment link' }).click()
  await page.getByLabel('Serial of the medium').fill('a1b2 c3d4')
  await page.getByRole('textbox', { name: 'Amount' }).fill(String(recharge / 100))
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('link', { name: 'Open payment page' }).getAttribute('href')
  const payer = await page.context().newPage()
  await payer.goto(String(link))
  await payer.getByRole('button', { name: /^Pay / }).click()
  await payer.getByRole('heading', { name: 'Payment received' }).waitFor()
  await payer.close()
  await page.getByRole('button', { name: 'View payment' }).click()
  await page.getByText('Payment confirmed').waitFor()
  expect(await creditOf('A1B2C3D4')).toBe(recharge)

  // A vend succeeds; another one takes the credit and delivers nothing.
  expect(await sell('A1B2C3D4')).toMatchObject({ outcome: 'sold', amount: price })
  expect(await sell('A1B2C3D4', 'charged')).toMatchObject({ outcome: 'failed', amount: price })
  await vi.waitFor(async () => expect(await creditOf('A1B2C3D4')).toBe(recharge - 2 * price), until)

  // Two clicks on the failed vend refund it, once.
  await page.goto(`/customers-medias/medias/${mediaId}/transactions`)
  const sales = page.getByRole('table')
  await sales.getByRole('button', { name: /^Refund / }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Refund / })
    .click()
  await sales.getByText('Refunded', { exact: true }).waitFor()
  expect(await sales.getByRole('button', { name: /^Refund / }).count()).toBe(0)
  expect(await creditOf('A1B2C3D4')).toBe(recharge - price)

  // The key is lost. Its credit is on the new key, and no machine accepts the old one.
  await page.getByRole('button', { name: 'Replace lost key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Serial of the new medium' }).fill('NEW00001')
  await dialog.getByRole('button', { name: 'Replace key' }).click()
  await dialog.getByRole('button', { name: 'Register NEW00001 and replace' }).click()
  await page.getByRole('heading', { level: 1, name: 'NEW00001' }).waitFor()
  expect(await creditOf('A1B2C3D4')).toBe(0)
  expect(await creditOf('NEW00001')).toBe(recharge - price)
  expect(await sell('A1B2C3D4')).toMatchObject({ outcome: 'refused' })
  expect(await sell('NEW00001')).toMatchObject({ outcome: 'sold', amount: price })
  await vi.waitFor(async () => expect(await creditOf('NEW00001')).toBe(recharge - 2 * price), until)

  expect(await ledgerFaults(database, merchantId)).toEqual([])
  expect((await ledgerSize(database, merchantId)).operations).toBeGreaterThan(4)
  expect(page.complaints).toEqual([])
}, 90_000)
