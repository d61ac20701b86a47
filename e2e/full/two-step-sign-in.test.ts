import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { account, anAdmin, aPage, atSignIn, signOut } from '#testkit/browser/identity-steps.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { giveCredentials, password } from '#testkit/browser/sign-in.ts'
import { codeOf } from '#testkit/second-factor/second-factor.ts'

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal?.stop())

/** Gives a page's browser an authenticator that verifies its user, as a phone or a laptop has. */
async function withAuthenticator(page: Page) {
  const chromium = await page.context().newCDPSession(page)
  await chromium.send('WebAuthn.enable')
  await chromium.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Signs out and opens the sign-in page again. */
async function leave(page: Page) {
  await signOut(page)
  await page.getByText('You have signed out').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await atSignIn(page)
}

test('a user sets up a passkey in the profile, and signs in with it, after the password and alone', async () => {
  const person = await anAdmin(portal)
  const page = await aPage({ baseURL: portal.url })
  await withAuthenticator(page)
  await page.goto('/settings/profile')
  await atSignIn(page)
  await giveCredentials(page, person)
  await page.getByRole('link', { name: 'Manage', exact: true }).click()
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Add passkey' }).click()
  await page.getByLabel('Name').fill('Work laptop')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  expect(await page.locator('.codes li').count()).toBe(10)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'I have stored the codes' }).click()
  await page.getByText('Work laptop', { exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to your profile' }).click()

  await leave(page)
  await giveCredentials(page, person)
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await account(page).waitFor()

  await leave(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await account(page).waitFor()
})

test('a user whose merchant requires it sets up an app on the way in', async () => {
  const person = await anAdmin(portal)
  await portal.database.admin(
    `update merchants set second_factor_roles = '{merchantAdmin}' where id in (select merchant_id from user_merchants where user_id = $1)`,
    [person.id],
  )
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/')
  await atSignIn(page)
  await giveCredentials(page, person)
  await page.getByRole('link', { name: 'Add authenticator app' }).click()
  expect(await accessibilityFaults(page)).toEqual([])
  const secret = ((await page.locator('#key').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code from the app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Confirm app' }).click()
  await page.getByRole('button', { name: 'I have stored the codes' }).click()
  await account(page).waitFor()
})
