import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInvitations } from '#server/identity/invitations.ts'
import { openMail } from '#server/mail/mail.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import {
  account,
  anAdmin,
  aPage,
  atSignIn,
  enterAs,
  tokensCome,
  withOtherProvider,
} from '#testkit/browser/identity-steps.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { giveCredentials } from '#testkit/browser/sign-in.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

/** One provider for the whole file: each test has its own user. */
let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal?.stop())

test('tokens are renewed silently; when the provider’s session has ended, a popup opens; closing it ends in a logged logout', async () => {
  const person = await anAdmin(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.clock.install()
  await page.goto('/alarms')
  await giveCredentials(page, person)
  await account(page).waitFor()

  // While the session lasts, new tokens arrive without a prompt.
  const silently = tokensCome(page)
  await page.clock.fastForward('09:10')
  await silently

  const later = async () => {
    await portal.database.admin(`delete from identity_state where model = 'Session'`)
    const popup = page.waitForEvent('popup')
    await page.clock.fastForward('09:30')
    return popup
  }
  const asked = await later()
  await atSignIn(asked)
  const renewed = tokensCome(page)
  await giveCredentials(asked, person)
  await renewed

  await (await later()).close()
  await page.getByText('Your session has ended').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
  const log = await portal.database.admin(`select type, reason from session_log where user_id = $1`, [person.id])
  expect(log).toEqual([{ type: 'autoLogout', reason: expect.stringContaining('login_required') }])
})

test('a suspended user is signed out at the next action', async () => {
  const person = await anAdmin(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await giveCredentials(page, person)
  await account(page).waitFor()
  await portal.database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
  // The page may have started requests before, and the menu is gone.
  const dashboard = page.getByRole('link', { name: 'Dashboard' })
  await dashboard.click({ timeout: 5_000 }).catch(() => undefined)
  await page.getByRole('heading', { name: 'Unauthorized' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/unauthorized')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You have signed out').waitFor()
})

test('a forgotten password is replaced through the mailbox', async () => {
  const person = await anAdmin(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('link', { name: 'Open the development mailbox' }).click()
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.frameLocator('iframe').getByRole('link', { name: 'Choose a new password' }).click()
  await page.waitForURL('**/identity/reset/**')
  await page.getByLabel('New password', { exact: true }).fill('New-password-1')
  await page.getByLabel('Repeat new password').fill('New-password-1')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill('New-password-1')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await account(page).waitFor()
})

test('an invited user signs in at another provider, accepts, and has that account from then on', async () => {
  const { portal, other } = await withOtherProvider()
  const merchant = await aMerchant(portal.database)
  const user = await aUser(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  await portal.database.admin(`update users set issuer = null, subject = null, status = 'invited' where id = $1`, [
    user.id,
  ])
  const mail = openMail({ smtpUrl: undefined, from: '', isMailboxShown: true, doors: portal.database })
  const log = { error: () => undefined }
  const deps = { doors: portal.database, mail, origin: portal.url, defaultLanguage: undefined, isExternal: true, log }
  await openInvitations(deps).send(user.id)
  other.claims.set('anna', 'MILAN=GETTONEMERCHANTADMIN')

  const page = await aPage({ baseURL: portal.url })
  await page.goto('/mailbox')
  await page.getByRole('link', { name: 'Your invitation to Gettone' }).click()
  await page.frameLocator('iframe').getByRole('link', { name: 'Accept invitation' }).click()
  await page.getByRole('heading', { name: 'Your invitation' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const link = page.url()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await enterAs(page, 'anna')
  await page.getByText('You are signed in. Accept the invitation').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await account(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
  await page.goto('/settings/profile')
  await page.getByText('View and end your sessions there.').waitFor()

  // The same link admits no other user.
  other.claims.set('berta', 'MILAN=GETTONEMERCHANTADMIN')
  const another = await aPage({ baseURL: portal.url })
  await another.goto(link)
  await another.getByRole('button', { name: 'Sign in' }).click()
  await enterAs(another, 'berta')
  await another.getByRole('button', { name: 'Accept invitation' }).click()
  await another.getByText('This invitation was already used').waitFor()
})
