import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { faultsInBothSchemes, settled, sizes, takePicture } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aCollection, aCommand, anAlarm, aSale } from '#testkit/machines/machine-data.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aClaim } from '#testkit/nouns/key-portal.ts'

/* Records in a panel beside the screen: the way from "something is wrong" to the restart, in few clicks. */

let portal: Awaited<ReturnType<typeof openPortal>>
let admin: { email: string }
let merchantId: string
let blocked: TestMachine
let alarmId: string
const many = 30
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

beforeAll(async () => {
  portal = await openPortal()
  const { database } = portal
  const merchant = await aMerchant(database, { name: 'Panel Vending' })
  merchantId = merchant.id
  admin = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  for (let n = 10; n < 10 + many; n++) await aMachine(database, merchantId, { name: `Machine ${n}` })
  blocked = await aMachine(database, merchantId, {
    name: 'Atrium',
    columns: { pos_status: 3, connection: 1, last_seen_at: new Date(), last_sale_at: minutesAgo(2) },
  })
  await aSale(database, blocked)
  const mediaId = await aMedia(database, merchantId, { serial: 'A1B2C3D4' })
  await aClaim(database, blocked, { media_id: mediaId })
  await aCollection(database, blocked)
  // The last time, a restart ended the same fault.
  const fault = { code: 'EJC_12', category: 'jam' }
  await anAlarm(database, blocked, {
    ...fault,
    status: 'repaired',
    created_at: minutesAgo(2_000),
    last_at: minutesAgo(2_000),
    repaired_at: minutesAgo(1_900),
  })
  await aCommand(database, blocked, {
    type: 4,
    status: 2,
    result: 0,
    started_at: minutesAgo(1_911),
    executed_at: minutesAgo(1_910),
  })
  alarmId = await anAlarm(database, blocked, { ...fault, created_at: minutesAgo(30), last_at: minutesAgo(30) })
}, 120_000)
afterAll(() => portal?.stop(), 60_000)

/** Clicks that are counted. */
function aHand() {
  let clicks = 0
  return {
    click: async (target: Locator) => {
      await target.click()
      clicks += 1
    },
    clicks: () => clicks,
  }
}

const panel = (page: Page, name?: string) => page.getByRole('dialog', name ? { name } : {})
const restarts = () =>
  portal.database.admin<{ type: number }>(
    'select type from remote_commands where machine_id = $1 and status = 0 order by created_at',
    [blocked.id],
  )
const cancelled = () =>
  portal.database.admin('update remote_commands set status = 3, result = -3 where machine_id = $1 and status = 0', [
    blocked.id,
  ])
const panelIn = (page: Page) => new URL(page.url()).searchParams.get('panel')

describe('from the dashboard', () => {
  test('why a machine fell is two clicks away, and what helped last time beside it; its restart two more', async () => {
    const page = await signedIn(portal, admin, '/dashboard', { viewport: sizes.desktop })
    const hand = aHand()
    await hand.click(page.getByRole('link', { name: /Spiral blocked/ }).first())
    await panel(page, 'Atrium').getByText('Sells still').waitFor()
    await panel(page, 'Atrium').getByText('Last sales').waitFor()
    await settled(page)
    expect(await faultsInBothSchemes(page, 'panels/machine')).toEqual([])
    await hand.click(
      panel(page, 'Atrium')
        .getByRole('listitem')
        .getByRole('link', { name: /Spiral blocked/ }),
    )
    const alarm = panel(page, 'Spiral blocked (12)')
    await alarm.getByText('What helped last time').waitFor()
    await alarm.getByText(/Restart, sent by/).waitFor()
    expect(hand.clicks()).toBeLessThanOrEqual(4)
    await settled(page)
    expect(await faultsInBothSchemes(page, 'panels/alarm')).toEqual([])

    await hand.click(alarm.getByRole('button', { name: 'Restart', exact: true }))
    await hand.click(
      page.getByRole('dialog', { name: 'Restart' }).getByRole('button', { name: 'Restart', exact: true }),
    )
    await page.getByText('Restart sent to Atrium').waitFor()
    expect(hand.clicks()).toBe(4)
    expect(await restarts()).toEqual([{ type: 4 }])
    // Back leads to the machine, and then to the dashboard alone.
    await page.goBack()
    await panel(page, 'Atrium').waitFor()
    await page.goBack()
    await panel(page).waitFor({ state: 'detached' })
    expect(page.complaints).toEqual([])
    await cancelled()
  })
})

describe('a restart is two clicks', () => {
  const sent = async (page: Page, from: Locator) => {
    const hand = aHand()
    await hand.click(from)
    const confirmation = page.getByRole('dialog', { name: 'Restart' })
    await hand.click(confirmation.getByRole('button', { name: 'Restart', exact: true }))
    await page.getByText('Restart sent to Atrium').waitFor()
    expect(hand.clicks()).toBe(2)
    expect(await restarts()).toEqual([{ type: 4 }])
    await cancelled()
  }

  test('from a row of the machines, and from the machine’s page', async () => {
    const page = await signedIn(portal, admin, '/devices/list?search=Atrium', { viewport: sizes.desktop })
    await sent(page, page.getByRole('button', { name: 'Restart: Atrium' }))
    await page.goto(`/devices/${blocked.id}`)
    await sent(page, page.getByRole('button', { name: 'Restart', exact: true }))
    expect(page.complaints).toEqual([])
  })
})

test('a list keeps its page, its selection and its scroll beside a panel; j and k step through its rows', async () => {
  const page = await signedIn(portal, admin, '/devices/list?ord=name&ordType=ASC&page=2', { viewport: sizes.desktop })
  const row = (name: string) => page.locator('main [data-row]').filter({ hasText: name })
  await row('Machine 35').waitFor()
  await row('Machine 33').getByRole('checkbox').check({ force: true })
  await row('Machine 35').scrollIntoViewIfNeeded()
  const top = () => page.evaluate(() => scrollY)
  const before = await top()
  await row('Machine 35').getByText('Machine 35').click()
  await panel(page, 'Machine 35').waitFor()
  expect(await top()).toBe(before)
  await settled(page)
  await takePicture(page, 'panels/list')
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  await page.keyboard.press('j')
  await panel(page, 'Machine 36').waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await panel(page, 'Machine 34').waitFor()
  expect(await row('Machine 33').getByRole('checkbox').isChecked()).toBe(true)
  // The list is still usable: another row opens in the same panel.
  await row('Machine 31').getByText('Machine 31').click()
  await panel(page, 'Machine 31').waitFor()
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
  expect(panelIn(page)).toBeNull()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toContain('Machine 31')
  expect(await row('Machine 33').getByRole('checkbox').isChecked()).toBe(true)
  // Enter opens the page.
  await row('Machine 31').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Machine 31' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('an alarm is acknowledged, commented and sent to a technician, whose link opens it on a phone', async () => {
  const technician = await aUserWithPassword(portal.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, '/alarms', { viewport: sizes.desktop })
  await page.locator('main [data-row]').filter({ hasText: 'Atrium' }).getByText('Spiral blocked').click()
  const alarm = panel(page, 'Spiral blocked (12)')
  await alarm.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('menuitem', { name: 'For 4 hours' }).click()
  await alarm.getByText(/Test merchantAdmin, until/).waitFor()
  await alarm.getByRole('textbox', { name: 'New comment' }).fill('Belt ordered')
  await alarm.getByRole('button', { name: 'Add comment' }).click()
  await alarm.getByText('Belt ordered').waitFor()
  await alarm.getByRole('button', { name: 'Assign' }).click()
  const dialog = panel(page, 'Assign this alarm')
  await dialog.getByRole('combobox', { name: 'Assigned to' }).click()
  await page.getByRole('option', { name: /Test merchantUser/ }).click()
  await dialog.getByLabel('Note (optional)').fill('Take a new belt along')
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Assign and send' }).click()
  await alarm.getByText('Test merchantUser').first().waitFor()
  const mails = await portal.database.admin(
    'select kind, recipient, note from alarm_notifications where alarm_id = $1',
    [alarmId],
  )
  expect(mails).toEqual([{ kind: 'assigned', recipient: technician.email, note: 'Take a new belt along' }])

  const phone = await signedIn(
    portal,
    technician,
    `/devices/${blocked.id}/pos-alarms?merchant=${merchantId}&panel=alarm:${blocked.id}.${alarmId}`,
    { viewport: sizes.phone },
  )
  await panel(phone, 'Spiral blocked (12)').getByText('Belt ordered').waitFor()
  await settled(phone)
  expect(await faultsInBothSchemes(phone, 'panels/alarm-phone')).toEqual([])
  // A name opens the page, as everywhere on a phone.
  await panel(phone).getByRole('link', { name: 'Atrium' }).first().click()
  await phone.getByRole('heading', { level: 1, name: 'Atrium' }).waitFor()
  expect(panelIn(phone)).toBeNull()
  expect([...page.complaints, ...phone.complaints]).toEqual([])
})

test.each([
  ['transaction', '/transactions/data?period=last7Days', 'Espresso', 'Espresso'],
  ['media', '/customers-medias/medias', 'A1B2', /A1B2/],
  ['claim', '/customers-medias/claims', 'Atrium', /Claim/],
  ['collection', '/devices/collections?period=last7Days', 'Atrium', 'Atrium'],
] as const)('a click on the row of a %s opens it beside its list', async (kind, list, row, name) => {
  const page = await signedIn(portal, admin, list, { viewport: sizes.desktop })
  const rows = page.locator('main [data-row]')
  await rows.filter({ hasText: row }).first().click()
  await page.getByRole('dialog', { name }).waitFor()
  expect(panelIn(page)).toMatch(new RegExp(`^${kind}:`))
  await settled(page)
  expect(await faultsInBothSchemes(page, `panels/${kind}`)).toEqual([])
  await page.goBack()
  await panel(page).waitFor({ state: 'detached' })
  expect(await rows.count()).toBeGreaterThan(0)
  expect(page.complaints).toEqual([])
})

test('a panel of a record that does not exist says so, and none opens for a merchant without the feature', async () => {
  const page = await signedIn(portal, admin, '/devices/list?panel=machine:01990000-0000-7000-8000-000000000009')
  await panel(page, 'Not available').getByText('It may have been deleted').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.goto('/devices/list?panel=user:01990000-0000-7000-8000-000000000009')
  await page.locator('main [data-row]').first().waitFor()
  expect(await panel(page).count()).toBe(0)
})
