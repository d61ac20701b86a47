import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveHub, startLiveHub } from '#server/live/hub.ts'
import { faultsSeen } from '#testkit/browser/looks.ts'
import { openPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { systemAddressOf } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'

/*
 * The provider's KPIs are hidden until shown and link to lists; users with several merchants compare them side by
 * side, within their own groups; machines are counted in a report; thresholds of sensors are set.
 */

let portal: TestPortal & { stop: () => Promise<void> }
let elsewhere: LiveHub
let inNorth: TestMachine
let provider: { email: string }
let ofNorth: { email: string }
beforeAll(async () => {
  portal = await openPortal()
  const { database } = portal
  elsewhere = await startLiveHub(systemAddressOf(database.adminUrl))
  const aurora = await aMerchant(database, { name: 'Caffè Aurora' })
  const sol = await aMerchant(database, { name: 'Sol', currency: 'MXN', time_zone: 'America/Mexico_City' })
  const north = await aGroup(database, aurora.id, 'North')
  const south = await aGroup(database, aurora.id, 'South')
  const well = { connection: 1, last_seen_at: new Date(), firmware_version: '2.1.0' }
  inNorth = await aMachine(database, aurora.id, {
    groupId: north,
    name: 'North lobby',
    columns: { ...well, pos_status: 3 },
  })
  const inSouth = await aMachine(database, aurora.id, {
    groupId: south,
    name: 'South gate',
    columns: { ...well, pos_status: 3 },
  })
  await aMachine(database, sol.id, { name: 'Plaza', columns: { connection: 0, last_seen_at: null } })
  for (const machine of [inNorth, inSouth]) await anAlarm(database, machine, { code: 'ENC' })
  await aSale(database, inNorth, { created_at: new Date(), value: 150 })
  await aSale(database, inSouth, { created_at: new Date(), value: 98_765 })
  await database.admin(
    `insert into machine_sensors (merchant_id, machine_id, submodule, name, value, at) values ($1, $2, 'coinValidator', 'entry', 50, now())`,
    [aurora.id, inNorth.id],
  )
  provider = await aUserWithPassword(database, 'superAdmin')
  ofNorth = await aUserWithPassword(database, 'groupAdmin', [
    { merchantId: aurora.id, groups: [north] },
    { merchantId: sol.id, groups: 'all' },
  ])
}, 300_000)
afterAll(async () => {
  await elsewhere?.stop()
  await portal?.stop()
}, 60_000)

const rowOf = (page: Page, text: string) => page.locator('main [data-row]').filter({ hasText: text })

describe('the provider’s figures', () => {
  test('KPIs are hidden, also from screen readers, until the user shows them, and hidden again on the next visit', async () => {
    const page = await signedIn(portal, provider, '/admin-dashboard')
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/admin/stats/') && asked.push(request.url()))
    const main = page.locator('main')
    await main.getByRole('link', { name: 'Hidden demos' }).waitFor()
    // Screen readers get no number, and none was even fetched.
    expect(await main.ariaSnapshot()).not.toMatch(/: "?\d|"\d+ blocked"/)
    expect(asked).toEqual([])
    expect(await faultsSeen(page, 'provider/hidden')).toEqual([])
    await page.getByRole('button', { name: 'Show figures' }).press('Enter')
    await main.getByRole('link', { name: '2 blocked' }).waitFor()
    await main.getByText('$0.00').first().waitFor()
    expect(await faultsSeen(page, 'provider/shown')).toEqual([])
    await page.reload()
    await main.getByRole('link', { name: '2 blocked' }).waitFor()
    // For another user in the same tab, the KPIs are hidden.
    await page.evaluate(() => sessionStorage.setItem('gettone.figures', crypto.randomUUID()))
    await page.reload()
    await main.getByRole('link', { name: 'Hidden blocked' }).waitFor()
    await page.getByRole('button', { name: 'Show figures' }).click()
    await page.getByRole('button', { name: 'Hide figures' }).click()
    await main.getByRole('link', { name: 'Hidden blocked' }).waitFor()
    expect(page.complaints).toEqual([])
  })

  test('each number leads to the list behind it, filtered', async () => {
    const page = await signedIn(portal, provider, '/admin-dashboard')
    await page.getByRole('button', { name: 'Show figures' }).click()
    await page.getByRole('link', { name: '2 blocked' }).click()
    await rowOf(page, 'South gate').waitFor()
    expect(new URL(page.url()).searchParams.getAll('states')).toEqual(['blocked'])
    expect(await page.locator('main [data-row]').count()).toBe(2)
    await page.goBack()
    const withoutData = page.locator('main dl > div').filter({ hasText: 'No data for 7 days' })
    await withoutData.getByRole('link', { name: '1' }).click()
    await rowOf(page, 'Plaza').waitFor()
    expect(await page.locator('main [data-row]').count()).toBe(1)
    await page.goBack()
    const offline = page.locator('main dl > div').filter({ hasText: 'Offline' })
    await offline.getByRole('link', { name: '1' }).click()
    await rowOf(page, 'Plaza').waitFor()
    expect(page.complaints).toEqual([])
  })
})

describe('merchants side by side', () => {
  test('a group admin sees sums of the own group alone, follows events, and opens a merchant', async () => {
    const page = await signedIn(portal, ofNorth, '/merchants-dashboard')
    const aurora = rowOf(page, 'Caffè Aurora')
    await aurora.getByText('€1.50').waitFor()
    // The merchant that needs attention is first.
    expect(await page.locator('main [data-row]').first().textContent()).toContain('Caffè Aurora')
    const alarms = aurora.locator('a[href*="/alarms"]')
    expect(await alarms.textContent()).toBe('1')
    expect(await page.locator('main').textContent()).not.toContain('987')
    expect(await faultsSeen(page, 'provider/merchants')).toEqual([])
    await page.getByText(/^Live/).first().waitFor()
    await anAlarm(portal.database, inNorth, { code: 'EGS' })
    elsewhere.announce(inNorth.merchantId, 'alarm', inNorth.id)
    await expect.poll(() => alarms.textContent(), { timeout: 30_000 }).toBe('2')
    await aurora.getByRole('link', { name: 'Caffè Aurora' }).click()
    await page.waitForURL(
      (url) => url.pathname === '/dashboard' && url.searchParams.get('merchant') === inNorth.merchantId,
    )
    expect(page.complaints).toEqual([])
  })
})

describe('the report of machines', () => {
  test('machines are counted by the chosen dimension, drawn, and linked from their number', async () => {
    const page = await signedIn(portal, provider, '/admin/machines-report')
    await rowOf(page, '2.1.0').waitFor()
    expect(await faultsSeen(page, 'provider/report')).toEqual([])
    await page.goto('/admin/machines-report?by=connection&withoutDataDays=3')
    await rowOf(page, 'Offline').waitFor()
    await rowOf(page, 'Sol').getByRole('link', { name: '1', exact: true }).last().click()
    await rowOf(page, 'Plaza').waitFor()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('connections'), searchParams.get('withoutDataDays')]).toEqual(['0', '3'])
    expect(await page.locator('main [data-row]').count()).toBe(1)
    expect(page.complaints).toEqual([])
  })
})

describe('thresholds of sensors', () => {
  test('a saved threshold changes how dirty a machine’s sensor is; a threshold in the wrong order is refused in its row', async () => {
    const page = await signedIn(portal, provider, '/admin/sensors-thresholds-configuration')
    await rowOf(page, 'Entry').waitFor()
    expect(await faultsSeen(page, 'provider/thresholds')).toEqual([])
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const grid = page.getByRole('grid')
    const cell = (row: string, column: number) =>
      grid.getByRole('row').filter({ hasText: row }).getByRole('gridcell').nth(column)
    const write = async (row: string, column: number, text: string) => {
      await cell(row, column).dblclick()
      await grid.locator('input:focus').waitFor()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await write('Entry', 3, '90')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByText(/could not be saved|not saved|refused/i)
      .first()
      .waitFor()
    await write('Entry', 3, '40')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(async () => (await portal.database.admin(`select warning from sensor_thresholds where name = 'entry'`))[0])
      .toEqual({ warning: 40 })
    expect(await faultsSeen(page, 'provider/thresholds-saved')).toEqual([])
    await page.goto(`/devices/${inNorth.id}/pos-sensordirtyness?merchant=${inNorth.merchantId}`)
    await rowOf(page, 'Entry').getByText('Dirty', { exact: true }).waitFor()
    expect(page.complaints).toEqual([])
  })
})
