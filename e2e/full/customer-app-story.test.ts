import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { codeOfMachine } from '#database/key-portal/machine-place.ts'
import { sandboxKey, sandboxPath, sandboxServiceId } from '#server/payments/sandbox.ts'
import { aPage, type TestPage } from '#testkit/browser/browser.ts'
import { faultsSeen, sizes } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aMachine, aMerchant, testSecretKey } from '#testkit/fixtures.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'
import { aPaymentConfig, aPaymentService } from '#testkit/nouns/web-payments.ts'

/* The customers' app on a phone: from the first visit to a recharge, and what remains without a network. */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal({ DEMO: 'true' })
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

/** A merchant with a published portal and an account at the sandbox. */
async function aPlace() {
  const { database, url } = portal
  const { id: merchantId } = await aMerchant(database, { name: 'Caffè Aurora' })
  await database.admin('update merchant_details set portal_recharge = true where merchant_id = $1', [merchantId])
  const service = { id: sandboxServiceId, name: 'Sandbox', url: `${url}${sandboxPath}`, type: 4 }
  await aPaymentService(database, service)
  const accountId = 'aurora'
  await aPaymentConfig(database, merchantId, sandboxServiceId, {
    credentials: { accountId },
    secrets: { signingKey: sandboxKey(testSecretKey, accountId) },
  })
  const { serial } = await aMachine(database, merchantId, { name: 'Lobby' })
  return { serial, slug: await aPortal(database, merchantId) }
}

/** The link of the newest mail to an address. */
async function linkMailedTo(email: string): Promise<string> {
  const row = await vi.waitFor(async () => {
    const [mail] = await portal.database.admin<{ text: string }>(
      'select body_text as text from mailbox where recipient = $1 order by at desc limit 1',
      [email],
    )
    expect(mail).toBeDefined()
    return mail as { text: string }
  })
  return /https?:\/\/\S+/.exec(row.text)?.[0] ?? ''
}

const offline = (page: TestPage, isOffline: boolean) => page.context().setOffline(isOffline)

test('a customer signs up, recharges a wallet, sends a claim, and sees the credit without a network', async () => {
  const { slug, serial } = await aPlace()
  const page = await aPage({ baseURL: portal.url, viewport: sizes.phone })
  page.setDefaultTimeout(15_000)

  await page.goto(`/key/${slug}`)
  await page.getByRole('heading', { level: 1, name: 'Test portal' }).waitFor()
  expect(await faultsSeen(page, 'customer-app/welcome', { fullPage: true })).toEqual([])
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Name').fill('Giulia Rossi')
  await page.getByLabel('Email').fill('giulia@customer.test')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Link sent').waitFor()
  await page.goto(await linkMailedTo('giulia@customer.test'))
  await page.getByText('Hello, Giulia').waitFor()
  expect(page.url()).not.toContain('token')

  await page.getByRole('button', { name: 'Create wallet' }).click()
  await page.getByRole('link', { name: 'Recharge' }).click()
  await page.getByRole('radio', { name: '€ 20,00' }).check()
  await page.getByRole('button', { name: /^Recharge/ }).click()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.getByRole('heading', { name: 'Recharged' }).waitFor()
  await page.getByRole('link', { name: 'Back to wallet' }).click()
  const credit = page.getByRole('region', { name: 'Cloud credit' })
  await credit.getByText('€ 20,00').waitFor()
  expect(await faultsSeen(page, 'customer-app/wallet', { fullPage: true })).toEqual([])

  // A machine's page, and a claim about it.
  const code = await codeOfMachine(portal.database, serial)
  await page.goto(`/m/${code}`)
  await page.getByRole('link', { name: 'The machine kept my money' }).click()
  await page.getByLabel('Amount').fill('0,70')
  await page.getByLabel('What happened?').fill('No cup, no drink')
  expect(await faultsSeen(page, 'customer-app/claim', { fullPage: true })).toEqual([])
  await page.getByRole('button', { name: 'Send claim' }).click()
  await page.getByRole('heading', { name: 'Claim sent' }).waitFor()
  await page.getByRole('link', { name: 'Your claims' }).click()
  await page.getByText('In review').waitFor()
  expect(await faultsSeen(page, 'customer-app/claims', { fullPage: true })).toEqual([])
  await page.goto(`/key/${slug}`)
  await credit.getByText('€ 20,00').waitFor()

  // Without a network: what was seen, with its time.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.waitForTimeout(600)
  await offline(page, true)
  await page.reload()
  await credit.getByText('€ 20,00').waitFor()
  expect(await credit.getByText(/^as of today/).isVisible()).toBe(true)
  await page.getByRole('link', { name: 'Help' }).click()
  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByText('This page was not opened on this device before').waitFor()

  // A sign-out without a network leaves nothing of the customer, and the server ends the session later.
  await page.goto(`/key/${slug}/profile`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('link', { name: 'Create account' }).waitFor()
  await offline(page, false)
  await page.reload()
  await page.getByRole('link', { name: 'Create account' }).waitFor()
}, 60_000)
