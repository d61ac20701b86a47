import { afterAll, beforeAll, expect, test } from 'vitest'
import { account, anAdmin, aPage, atSignIn, signOut } from '#testkit/browser/identity-steps.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { giveCredentials } from '#testkit/browser/sign-in.ts'

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal?.stop())

test('text typed when the session ends is there after the sign-in, with popups blocked too, and only for its user', async () => {
  const person = await anAdmin(portal)
  const another = await anAdmin(portal)
  const page = await aPage({ baseURL: portal.url })
  await page.addInitScript(() => {
    window.open = () => null
  })
  await page.clock.install()
  await page.goto('/manage/clients/create')
  await giveCredentials(page, person)
  const name = page.getByRole('textbox', { name: /^Name/ })
  const sessionEnds = async () => {
    await portal.database.admin(`delete from identity_state where model = 'Session'`)
    await page.clock.fastForward('09:30')
    await page.getByText('What you typed is kept in this tab.').waitFor()
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await atSignIn(page)
  }
  await name.fill('Caffè Duomo')
  await sessionEnds()
  await giveCredentials(page, person)

  await page.getByText('This is what you typed before you signed in again.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/manage/clients/create')
  expect(await name.inputValue()).toBe('Caffè Duomo')

  // Another user of the same tab starts with an empty form, and nothing of it is left.
  await sessionEnds()
  await giveCredentials(page, another)
  await name.waitFor()
  expect(await name.inputValue()).toBe('')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Duomo')

  // A sign-out keeps nothing.
  await name.fill('Bar Sole')
  await signOut(page)
  await page.getByText('You have signed out').waitFor()
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Sole')
  await expect(account(page).count()).resolves.toBe(0)
})
