import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { dayIn } from '#domain/time/period.ts'
import { png } from '#server/image/png.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aRound, aStop } from '#testkit/nouns/rounds.ts'

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
const onMap = (page: Page, name: RegExp) => page.locator('main').getByRole('button', { name }).first()
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

/** A server of tiles on loopback, with what was requested of it. */
async function aTileServer() {
  const requested: string[] = []
  const side = 256
  const row = Buffer.alloc(1 + side / 8, 0x55)
  row[0] = 0
  const picture = png(side, side, 'blackWhite', new Array<Buffer>(side).fill(row))
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(picture)
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { pattern: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`, requested }
}

test('the map has its own screen, with today’s rounds as numbered lines and streets of the configured server alone', async () => {
  const tiles = await aTileServer()
  const portal = await aPortal({ MAP_TILES_URL: tiles.pattern, MAP_TILES_ATTRIBUTION: '© Test streets' })
  const { id: merchantId } = await aMerchant(portal.database)
  const at = (name: string, latitude: number, longitude: number) =>
    aMachine(portal.database, merchantId, { name, columns: { latitude, longitude } })
  const round = await aRound(portal.database, merchantId, { name: 'Coast', day: dayIn(new Date(), 'Europe/Rome') })
  await aStop(portal.database, await at('Porto', 38.12, 13.36), { round_id: round, position: 1 })
  await aStop(portal.database, await at('Napoli', 40.85, 14.27), { round_id: round, position: 2 })
  await at('Milano', 45.48, 9.2)
  const user = await aUserWithPassword(portal.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, user, '/dashboard')
  await page.getByRole('button', { name: 'Machines', exact: true }).click()
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await page.waitForURL('**/devices/map*')
  await drawing(page)
    .getByRole('button', { name: /Milano/ })
    .waitFor()
  await page.getByTitle('1. Porto').waitFor()
  await page.getByTitle('2. Napoli').waitFor()
  expect(await drawing(page).locator('polyline').count()).toBe(1)
  await page.getByRole('link', { name: 'Coast' }).waitFor()
  await page.getByText('© Test streets').first().waitFor()
  await expect.poll(() => tiles.requested.length).toBeGreaterThan(3)
  expect(tiles.requested.every((path) => /^\/\d+\/\d+\/\d+\.png$/.test(path))).toBe(true)
  const inDrawing = tiles.requested.length
  await page.mouse.move(1, 1)
  await drawing(page).hover({ position: { x: 5, y: 200 } })
  await moving(page).waitFor()
  await page.locator('main [inert]').waitFor({ state: 'detached' })
  await page.getByTitle('2. Napoli').first().waitFor()
  await expect.poll(() => tiles.requested.length).toBeGreaterThan(inDrawing)
  await page.getByRole('textbox', { name: 'Name, serial, address…' }).fill('Mila')
  await onMap(page, /Porto/).waitFor({ state: 'detached' })
  await onMap(page, /Milano/).waitFor()
  expect(new URL(page.url()).searchParams.get('search')).toBe('Mila')
  await page.getByRole('button', { name: 'Rounds today' }).click()
  await page.getByTitle('2. Napoli').first().waitFor({ state: 'detached' })
  expect(page.complaints).toEqual([])
})
