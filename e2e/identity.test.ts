import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  account,
  anAdmin,
  aPage,
  atSignIn,
  enterAs,
  signOut,
  withOtherProvider,
} from '#testkit/browser/identity-steps.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { giveCredentials } from '#testkit/browser/sign-in.ts'

/** One provider for the whole file: each test has its own user. */
let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal?.stop())

test('a user signs in, stays signed in over a reload, and signs out', async () => {
  const person = await anAdmin(portal)
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

  // At the requested page, also after a reload.
  await account(page).waitFor()
  expect(page.url()).toContain('/alarms?')
  await page.reload()
  await account(page).waitFor()
  expect(page.url()).toContain('/alarms?')

  // No other script and no later visit can read the tokens.
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  expect(stored).not.toMatch(/eyJ/)

  // A second tab needs no sign-in, and is signed out with the first.
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

test('any other provider works by configuration alone, also on another site', async () => {
  const { portal, other, userOfOther } = await withOtherProvider()
  // Its users change their passwords there.
  expect(await (await fetch(`${portal.url}/api/v1/spa-configuration`)).json()).toMatchObject({
    loginAuthority: other.issuer,
    changePasswordAuthority: `${other.issuer}/password`,
    clientId: 'vending-spa',
    tenant: 'MILAN',
  })
  await userOfOther('anna', 'groupAdmin', 'ROME=GETTONESUPERADMIN;MILAN=GETTONEMERCHANTUSER')
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await enterAs(page, 'anna')
  await account(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/alarms')
  await account(page).click()
  // The lower role of claim and database.
  await page.getByText('Merchant user').waitFor()
  await page.keyboard.press('Escape')

  // Browsers withhold the provider's cookie in a frame, so the whole window is redirected, and returns.
  await page.reload()
  await account(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/alarms')

  await signOut(page)
  await page.getByRole('button', { name: 'Leave the other provider' }).click()
  await page.getByText('You have signed out').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})
