import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPage } from '#testkit/browser/browser.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, password, signedIn } from '#testkit/browser/sign-in.ts'
import { onSlowLine, type Trip, waitsIn } from '#testkit/browser/slow-line.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

/* On a slow line what a page waits for is counted, not timed: each wait is a round trip of 400 ms. `npm run bench -- slow-line` has the seconds. */

/** From the click on “Sign in” to the first figures. */
const most = { waits: 6, bytes: 60_000 }

let portal: Awaited<ReturnType<typeof openPortal>>
let machine: TestMachine
let user: { email: string }
beforeAll(async () => {
  portal = await openPortal()
  const { id: merchantId } = await aMerchant(portal.database)
  machine = await aMachine(portal.database, merchantId)
  await aSale(portal.database, machine)
  user = await aUserWithPassword(portal.database, 'merchantUser', [{ merchantId, groups: 'all' }])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const listed = (trips: readonly Trip[]) =>
  trips.map(({ path, from, to, bytes }) => `${Math.round(from)}–${Math.round(to)} ${bytes} ${path}`).join('\n')
const bytesOf = (trips: readonly Trip[]) => trips.reduce((sum, { bytes }) => sum + bytes, 0)
const isApi = ({ path }: Trip) => path.startsWith('/api/') && !path.endsWith('/live')

test(`the dashboard's first figures are ${most.waits} round trips after the sign-in, and its files load while the user types`, async () => {
  const page = await aPage({ baseURL: portal.url })
  page.setDefaultTimeout(60_000)
  const trips = await onSlowLine(page)
  await page.goto('/')
  await page.getByLabel('Email').pressSequentially(user.email.slice(0, 3))
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(password)
  // A person types for longer than this; the test waits until all files are there.
  await expect.poll(() => page.underWay.size, { timeout: 30_000 }).toBe(0)
  const before = trips().length
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('main [aria-busy="false"]').getByText(/1,50/).first().waitFor()
  const after = trips().slice(before)
  const waits = waitsIn(after)
  expect(waits.length, listed(after)).toBeLessThanOrEqual(most.waits)
  expect(bytesOf(after), listed(after)).toBeLessThanOrEqual(most.bytes)
  // One call answers what the screen shows first.
  const calls = after.filter(isApi).map(({ path }) => path)
  expect(calls[0]).toBe('/api/v1/users/me/first-screen')
  expect(calls.filter((path) => /\/(?:me|merchants|dashboard)$/.test(path))).toEqual([])
  expect(page.complaints).toEqual([])
})

test('the sign-in page loads nothing of the portal until the user types', async () => {
  const page = await aPage({ baseURL: portal.url })
  const trips = await onSlowLine(page, { latencyMs: 0, bytesPerSecond: -1 })
  await page.goto('/')
  await page.getByLabel('Email').waitFor()
  await page.waitForTimeout(500)
  const portalFiles = () => trips().filter(({ path }) => path.startsWith('/assets/')).length
  const ofGate = portalFiles()
  expect(ofGate).toBeLessThanOrEqual(2)
  await page.getByLabel('Email').press('a')
  await expect.poll(portalFiles, { timeout: 20_000 }).toBeGreaterThan(ofGate + 4)
  expect(page.complaints).toEqual([])
})

test('a screen that begins elsewhere than on the dashboard requests no figures', async () => {
  const page = await signedIn(portal, user, '/settings/profile')
  const trips = await onSlowLine(page, { latencyMs: 0, bytesPerSecond: -1 })
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  const calls = trips().filter(isApi)
  expect(calls.map(({ path }) => path)).toContain('/api/v1/users/me/first-screen')
  expect(calls.some(({ path }) => path.endsWith('/dashboard'))).toBe(false)
  expect(calls.find(({ path }) => path.endsWith('/first-screen'))?.bytes).toBeLessThan(3_000)
})
