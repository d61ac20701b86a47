import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { openInvitations } from '#server/identity/invitations.ts'
import { openMail } from '#server/mail/mail.ts'
import { accessibilityFaults, aPage as anyPage, type PageOptions } from '#testkit/browser/browser.ts'
import { aFreePort, aPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aPersonWithPassword, giveCredentials, password } from '#testkit/browser/sign-in.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { anotherProvider } from '#testkit/other-provider.ts'

async function aPage(options: PageOptions) {
  const page = await anyPage(options)
  page.setDefaultTimeout(15_000)
  return page
}

/** A person of one merchant who signs in with a password. */
async function aPerson({ database }: TestPortal) {
  const merchant = await aMerchant(database)
  return aPersonWithPassword(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
}

const account = (page: Page) => page.getByRole('button', { name: /your account/ })
const tokensCome = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/token') && response.request().method() === 'POST')
const signOut = async (page: Page) => {
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
const atSignIn = (page: Page) => page.getByLabel('Email').waitFor()

test('somebody signs in, stays in over a reload, and signs out', async () => {
  const portal = await aPortal()
  const person = await aPerson(portal)
  const page = await aPage({ baseURL: portal.url })

  await page.goto('/alarms?status=active')
  await atSignIn(page)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Email and password are required').waitFor()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill('Wrong-password-1')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wrong email or password').waitFor()
  await giveCredentials(page, person)

  // Back where they wanted to go, and again after a reload.
  await account(page).waitFor()
  expect(page.url()).toContain('/alarms?')
  await page.reload()
  await account(page).waitFor()
  expect(page.url()).toContain('/alarms?')

  // Tokens are nowhere that another script or visit could read them.
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  expect(stored).not.toMatch(/eyJ/)

  // A second tab needs no sign-in, and is out with the first.
  const second = await page.context().newPage()
  await second.goto('/')
  await account(second).waitFor()
  expect(new URL(second.url()).pathname).toBe('/dashboard')
  await signOut(page)
  await page.getByText('You have signed out').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
  await second.getByText('You have signed out').waitFor()

  await page.goto('/dashboard')
  await page.getByText('You have signed out').waitFor()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await atSignIn(page)
  expect(page.complaints.filter((one) => !/status of 4(01|22)/.test(one))).toEqual([])
})

test('the way back from the first screen leads into the portal, not to a form that has done its work', async () => {
  const portal = await aPortal()
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await giveCredentials(page, await aPerson(portal))
  await account(page).waitFor()
  await page.goBack()
  await account(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

test('an unknown address and the root lead to the dashboard, and the sign-in page is hidden from who is in', async () => {
  const portal = await aPortal()
  const person = await aPerson(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/')
  await giveCredentials(page, person)
  await page.waitForURL('**/dashboard**')
  for (const path of ['/no/such/page', '/login']) {
    await page.goto(path)
    await account(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard')
  }
})

test('when the session at the provider has ended, a popup asks; closed, it ends in a logout that is logged', async () => {
  const portal = await aPortal()
  const person = await aPerson(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.clock.install()
  await page.goto('/alarms')
  await giveCredentials(page, person)
  await account(page).waitFor()

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

test('tokens are renewed while somebody works', async () => {
  const portal = await aPortal()
  const person = await aPerson(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.clock.install()
  await page.goto('/alarms')
  await giveCredentials(page, person)
  await account(page).waitFor()
  for (let times = 0; times < 3; times += 1) {
    const renewed = tokensCome(page)
    await page.clock.fastForward('09:10')
    await renewed
  }
  await page.goto('/alarms')
  await account(page).waitFor()
})

test('a person is suspended: the next thing they do puts them out', async () => {
  const portal = await aPortal()
  const person = await aPerson(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await giveCredentials(page, person)
  await account(page).waitFor()
  await portal.database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
  // The page may have asked for something by itself before, and the menu is gone.
  const dashboard = page.getByRole('link', { name: 'Dashboard' })
  await dashboard.click({ timeout: 5_000 }).catch(() => undefined)
  await page.getByRole('heading', { name: 'Unauthorized' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/unauthorized')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You have signed out').waitFor()
})

test.each(['light', 'dark'] as const)('the pages of sign-in are accessible in the %s', async (colorScheme) => {
  const portal = await aPortal()
  const page = await aPage({ baseURL: portal.url, colorScheme })
  await page.goto('/alarms')
  await atSignIn(page)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Email and password are required').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  for (const path of [
    '/identity/password',
    '/identity/forgot',
    '/identity/reset/none',
    '/mailbox',
    '/identity/session/end/success',
  ]) {
    await page.goto(path)
    expect(await accessibilityFaults(page), path).toEqual([])
  }
})

test('the sign-in works on a phone by keyboard alone, in the reader’s language', async () => {
  const portal = await aPortal()
  const person = await aPerson(portal)
  const page = await aPage({ baseURL: portal.url, viewport: { width: 390, height: 844 }, locale: 'it-IT' })
  await page.goto('/alarms')
  await atSignIn(page)
  await page.getByText('Accedi per gestire i tuoi distributori.').waitFor()
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /il tuo account/ }).waitFor()
})

test('a forgotten password is replaced by way of the mailbox', async () => {
  const portal = await aPortal()
  const person = await aPerson(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('link', { name: 'Open the development mailbox' }).click()
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.frameLocator('iframe').getByRole('link', { name: 'Choose a new password' }).click()
  await page.waitForURL('**/identity/reset/**')
  await page.getByLabel('New password', { exact: true }).fill('New-password-1')
  await page.getByLabel('Repeat the new password').fill('New-password-1')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill('New-password-1')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await account(page).waitFor()
})

/** A portal whose people belong to a provider of another site. */
async function withOtherProvider(scopes?: string) {
  const port = await aFreePort()
  const other = await anotherProvider(`http://localhost:${port}`, scopes)
  const portal = await aPortal({ PORT: String(port), ...other.environment })
  const person = async (name: string, role: Role, claim: string) => {
    const merchant = await aMerchant(portal.database)
    const user = await aUser(portal.database, role, [{ merchantId: merchant.id, groups: 'all' }])
    await portal.database.admin('update users set issuer = $1, subject = $2 where id = $3', [
      other.issuer,
      name,
      user.id,
    ])
    other.claims.set(name, claim)
    return user
  }
  return { portal, other, person }
}

test('any other provider serves by configuration alone, from another site too', async () => {
  const { portal, person } = await withOtherProvider()
  await person('anna', 'groupAdmin', 'ROME=GETTONESUPERADMIN;MILAN=GETTONEMERCHANTUSER')
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await page.getByLabel('Name').fill('anna')
  await page.getByRole('button', { name: 'Enter' }).click()
  await account(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/alarms')
  await account(page).click()
  // The lesser of claim and database.
  await page.getByText('Merchant user').waitFor()
  await page.keyboard.press('Escape')

  // Browsers keep the provider's cookie from a frame, so the whole window asks, and comes back.
  await page.reload()
  await account(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/alarms')

  await signOut(page)
  await page.getByRole('button', { name: 'Leave the other provider' }).click()
  await page.getByText('You have signed out').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})

test('with refresh tokens of another site’s provider nothing is asked while somebody works', async () => {
  const { portal, person } = await withOtherProvider('vending.access offline_access')
  await person('anna', 'merchantAdmin', 'GETTONEMERCHANTADMIN')
  const page = await aPage({ baseURL: portal.url })
  await page.clock.install()
  await page.goto('/alarms')
  await page.getByLabel('Name').fill('anna')
  await page.getByRole('button', { name: 'Enter' }).click()
  await account(page).waitFor()
  const renewed = tokensCome(page)
  await page.clock.fastForward('09:30')
  expect((await renewed).ok()).toBe(true)
  await page.clock.fastForward('05:10')
  await account(page).waitFor()
})

test('who has no role here, or is not known here, is told so and can leave', async () => {
  const { portal, other, person } = await withOtherProvider()
  await person('berta', 'merchantAdmin', 'ROME=GETTONEMERCHANTADMIN')
  other.claims.set('nobody', 'GETTONESUPERADMIN')
  other.claims.set('carla', 'MILAN=CUSTOMER')
  for (const name of ['berta', 'nobody', 'carla']) {
    const page = await aPage({ baseURL: portal.url })
    await page.goto('/alarms')
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.waitForURL('**/unauthorized')
    await page.getByRole('heading', { name: 'Unauthorized' }).waitFor()
    await page.getByText(name === 'carla' ? 'has the role “Customer”' : 'has no role in this portal').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Leave the other provider' }).click()
    await page.getByText('You have signed out').waitFor()
  }
})

test('somebody who is invited signs in at another provider, accepts, and is that account from then on', async () => {
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
  await page.frameLocator('iframe').getByRole('link', { name: 'Accept the invitation' }).click()
  await page.getByRole('heading', { name: 'Your invitation' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const link = page.url()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Name').fill('anna')
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByText('You are signed in. Accept the invitation').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await account(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
  await page.goto('/settings/profile')
  await page.getByText('Your sessions are kept there').waitFor()

  // Nobody else gets in by the same link.
  other.claims.set('berta', 'MILAN=GETTONEMERCHANTADMIN')
  const another = await aPage({ baseURL: portal.url })
  await another.goto(link)
  await another.getByRole('button', { name: 'Sign in' }).click()
  await another.getByLabel('Name').fill('berta')
  await another.getByRole('button', { name: 'Enter' }).click()
  await another.getByRole('button', { name: 'Accept the invitation' }).click()
  await another.getByText('This invitation was used already').waitFor()
})

test('whoever changes a password at another provider is sent there', async () => {
  const { portal, other } = await withOtherProvider()
  const answer = await fetch(`${portal.url}/api/v1/spa-configuration`)
  expect(await answer.json()).toMatchObject({
    loginAuthority: other.issuer,
    changePasswordAuthority: `${other.issuer}/password`,
    clientId: 'vending-spa',
    tenant: 'MILAN',
  })
})
