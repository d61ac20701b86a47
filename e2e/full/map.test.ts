import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'

/* The map: first a drawing that already links to each machine, then a movable map on request. */

/** The dashboard of a merchant with a machine in Palermo and two at one place in Milan. */
async function onDashboard() {
  const portal = await aPortal()
  const merchant = await aMerchant(portal.database)
  const at = (name: string, latitude: number, longitude: number) =>
    aMachine(portal.database, merchant.id, { name, columns: { latitude, longitude } })
  await at('Porto', 38.12, 13.36)
  await at('Centrale, ground floor', 45.485, 9.204)
  await at('Centrale, first floor', 45.486, 9.205)
  const person = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const page = await signedIn(portal, person, '/dashboard')
  await drawing(page).getByRole('button', { name: /Porto/ }).waitFor()
  // After sign-in the pointer does not rest on the map.
  await page.mouse.move(1, 1)
  return page
}
const drawing = (page: Page) => page.getByRole('region', { name: 'Machine map' })
const moving = (page: Page) => page.locator('canvas.maplibregl-canvas')

test('without interaction, the machines are shown without the code of the movable map', async () => {
  const page = await onDashboard()
  expect(await drawing(page).getByRole('button').count()).toBe(2)
  expect(await drawing(page).locator('path').first().getAttribute('d')).toContain('M')
  expect(await moving(page).count()).toBe(0)
  await drawing(page).getByRole('button', { name: /Porto/ }).click()
  await page.getByRole('dialog', { name: 'Porto' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('a pointer or a button loads the movable map at the same place', async () => {
  const page = await onDashboard()
  const placeOf = async () => {
    const box = await page.locator('main').getByRole('button', { name: /Porto/ }).first().boundingBox()
    return [Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)]
  }
  const before = await placeOf()
  await drawing(page).hover({ position: { x: 5, y: 200 } })
  await moving(page).waitFor()
  await page.locator('main [inert]').waitFor({ state: 'detached' })
  const after = await placeOf()
  expect(Math.abs((after[0] ?? 0) - (before[0] ?? 0))).toBeLessThanOrEqual(2)
  expect(Math.abs((after[1] ?? 0) - (before[1] ?? 0))).toBeLessThanOrEqual(2)
  expect(page.complaints).toEqual([])
})

test('a cluster opened by keyboard splits on the movable map, which then has the focus', async () => {
  const page = await onDashboard()
  await drawing(page)
    .getByRole('button', { name: /2 machines/ })
    .focus()
  await page.keyboard.press('Enter')
  await page
    .locator('main')
    .getByRole('button', { name: /ground floor/ })
    .waitFor()
  await page
    .locator('main')
    .getByRole('button', { name: /first floor/ })
    .waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('maplibregl-canvas')
})
