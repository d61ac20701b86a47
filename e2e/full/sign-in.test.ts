import { afterAll, beforeAll, expect, test } from 'vitest'
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
import { giveCredentials, password } from '#testkit/browser/sign-in.ts'

/** One provider for the whole file: each test has its own user. */
let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal?.stop())

test('the way back from the first screen leads into the portal, not to a used sign-in form', async () => {
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await giveCredentials(page, await anAdmin(portal))
  await account(page).waitFor()
  await page.goBack()
  await account(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

test('an unknown address and the root lead to the dashboard, and a signed-in user never sees the sign-in page', async () => {
  const person = await anAdmin(portal)
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

test('tokens are renewed during work', async () => {
  const person = await anAdmin(portal)
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

test.each(['light', 'dark'] as const)('the sign-in pages are accessible in the %s', async (colorScheme) => {
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
  const person = await anAdmin(portal)
  const page = await aPage({ baseURL: portal.url, viewport: { width: 390, height: 844 }, locale: 'it-IT' })
  await page.goto('/alarms')
  await atSignIn(page)
  await page.getByText('Accedi per gestire i tuoi distributori.').waitFor()
  await page.locator('input:focus').waitFor()
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /il tuo account/ }).waitFor()
})

test('with refresh tokens of an external provider no sign-in interrupts the work', async () => {
  const { portal, userOfOther } = await withOtherProvider('vending.access offline_access')
  await userOfOther('anna', 'merchantAdmin', 'GETTONEMERCHANTADMIN')
  const page = await aPage({ baseURL: portal.url })
  await page.clock.install()
  await page.goto('/alarms')
  await enterAs(page, 'anna')
  await account(page).waitFor()
  const renewed = tokensCome(page)
  await page.clock.fastForward('09:30')
  expect((await renewed).ok()).toBe(true)
  await page.clock.fastForward('05:10')
  await account(page).waitFor()
})

test('a user without a role, or unknown here, sees a message and can sign out', async () => {
  const { portal, other, userOfOther } = await withOtherProvider()
  await userOfOther('berta', 'merchantAdmin', 'ROME=GETTONEMERCHANTADMIN')
  other.claims.set('nobody', 'GETTONESUPERADMIN')
  other.claims.set('carla', 'MILAN=CUSTOMER')
  for (const name of ['berta', 'nobody', 'carla']) {
    const page = await aPage({ baseURL: portal.url })
    await page.goto('/alarms')
    await enterAs(page, name)
    await page.waitForURL('**/unauthorized')
    await page.getByRole('heading', { name: 'Unauthorized' }).waitFor()
    await page.getByText(name === 'carla' ? 'has the role “Customer”' : 'has no role in this portal').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Leave the other provider' }).click()
    await page.getByText('You have signed out').waitFor()
  }
})

test('a super admin of another provider who lacks the second step learns why, and what to do', async () => {
  const { portal, userOfOther } = await withOtherProvider(undefined, { SUPER_ADMIN_SECOND_FACTOR: 'true' })
  await userOfOther('anna', 'superAdmin', 'GETTONESUPERADMIN')
  const page = await aPage({ baseURL: portal.url })
  await page.goto('/alarms')
  await enterAs(page, 'anna')
  await page.getByRole('heading', { name: 'Second step required' }).waitFor()
  await page.getByText('Set it up at your company’s sign-in service').waitFor()
  expect(new URL(page.url()).pathname).toBe('/unauthorized')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Leave the other provider' }).waitFor()
})
