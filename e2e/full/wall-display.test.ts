import { expect, test } from 'vitest'
import { accessibilityFaults, aPage } from '#testkit/browser/browser.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

/* A link for a wall: figures and map without a sign-in, a night without network, and its end. */

test('an admin creates the link of a wall display, which shows figures and map, says when they are old, and that it has ended', async () => {
  const portal = await aPortal()
  const { id: merchantId } = await aMerchant(portal.database)
  const machine = await aMachine(portal.database, merchantId, { columns: { latitude: 45.48, longitude: 9.2 } })
  await aSale(portal.database, machine)
  const admin = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, '/manage/kiosks')
  await page.getByRole('button', { name: 'New display' }).click()
  await page.getByLabel('Name').fill('Control room')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create display' }).click()
  const link = (await page.locator('code').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('never used').waitFor()

  const wall = await aPage({ baseURL: portal.url, timezoneId: 'Europe/Rome' })
  await wall.clock.install()
  const paths = new Set<string>()
  wall.on('request', (request) => paths.add(new URL(request.url()).pathname))
  await wall.goto(link)
  await wall.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await wall.getByText(/^[01] of 1$/).waitFor()
  expect(await wall.getByRole('navigation').count()).toBe(0)
  expect(await wall.getByRole('link').count()).toBe(0)
  expect([...paths].filter((path) => path.startsWith('/identity'))).toEqual([])
  expect(await accessibilityFaults(wall)).toEqual([])

  await wall.context().setOffline(true)
  await wall.clock.fastForward('09:00:00')
  await wall.clock.runFor('00:00:20')
  await wall.getByText(/^No connection\. These figures are from/).waitFor()
  await wall.context().setOffline(false)
  await wall.clock.runFor('00:00:40')
  await wall.getByText(/^No connection\. These figures are from/).waitFor({ state: 'detached' })
  await wall.locator('svg path').first().waitFor({ state: 'attached' })

  await page.reload()
  await page.getByText(/used .* from/).waitFor()
  await page.getByRole('button', { name: 'End Control room' }).click()
  await page.getByRole('button', { name: 'End display' }).click()
  await page.getByText('No wall displays yet.').waitFor()
  await wall.clock.runFor('00:00:40')
  await wall.getByRole('heading', { name: 'This link has ended' }).waitFor()
  expect(await wall.getByText('Needs attention').count()).toBe(0)
})
