import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { accessibilityFaults, type TestPage } from '#testkit/browser/browser.ts'
import { countClicks } from '#testkit/browser/clicks.ts'
import { settled, sizes, takePicture } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aClient, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aCollection, anAlarm, aPrice, aSale, aStock } from '#testkit/machines/machine-data.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aRound, aStop } from '#testkit/nouns/rounds.ts'

/*
 * What operators do daily, from the dashboard after the sign-in to its end, with a budget of clicks. The screens keep the budget; a
 * budget is not raised for a screen.
 */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal({}, ['api', 'gateway'])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const patience = { timeout: 10_000 }
const online = () => ({ connection: 1, last_seen_at: new Date() })

/** A merchant of its own. */
async function aPlace() {
  const { database } = portal
  const { id: merchantId } = await aMerchant(database)
  const machine = (name: string, columns: Record<string, unknown> = {}) =>
    aMachine(database, merchantId, { name, columns: { ...online(), ...columns } })
  const one = async <T extends object>(sql: string) => (await database.admin<T>(sql, [merchantId]))[0] as T | undefined
  return { database, merchantId, machine, one }
}
type Place = Awaited<ReturnType<typeof aPlace>>

interface Task {
  page: TestPage
  click: (target: Locator) => Promise<void>
  /** Opens a screen by the side menu. */
  menu: (group: string, screen: string) => Promise<void>
  user: { id: string; name: string }
}
interface Options {
  place: Place
  name: string
  budget: number
  size?: keyof typeof sizes
  role?: Role
}

/** Does a task from the dashboard on; its last screen has no accessibility faults, and it took no more clicks than its budget. */
async function within(
  { place, name, budget, size = 'desktop', role = 'merchantAdmin' }: Options,
  work: (task: Task) => Promise<void>,
) {
  const user = await aUserWithPassword(portal.database, role, [{ merchantId: place.merchantId, groups: 'all' }])
  const isPhone = size === 'phone'
  const page = await signedIn(portal, user, '/dashboard', { viewport: sizes[size], hasTouch: isPhone })
  page.setDefaultTimeout(15_000)
  await page.locator('main [aria-busy="false"]').first().waitFor()
  const clicks = await countClicks(page)
  const click = (target: Locator) => (isPhone ? target.tap() : target.click())
  const menu = async (group: string, screen: string) => {
    if (isPhone) await click(page.getByRole('button', { name: 'Open menu' }))
    const items = page.getByRole('navigation', { name: 'Main menu' }).last()
    const link = items.getByRole('link', { name: screen, exact: true }).last()
    // A group of one screen is shown as that screen.
    if (!(await link.isVisible())) await click(items.getByRole('button', { name: group, exact: true }))
    await click(link)
  }
  await work({ page, click, menu, user })
  const used = clicks()
  console.log(`${name}, ${sizes[size].width} px: ${used} of ${budget} clicks`)
  expect(used).toBeGreaterThan(0)
  expect(used).toBeLessThanOrEqual(budget)
  await settled(page)
  await takePicture(page, `tasks/${name.replaceAll(/\W+/g, '-')}-${size}`)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
}

const rows = (page: TestPage) => page.locator('main [data-row]')
const button = (place: TestPage | Locator, name: string | RegExp) =>
  place.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const dialog = (page: TestPage, name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {})

describe.each(['desktop', 'phone'] as const)('on a %s', (size) => {
  test('a machine is restarted with 2 clicks', async () => {
    const place = await aPlace()
    await place.machine('Canteen north')
    await within({ place, name: 'restart', budget: 2, size, role: 'groupAdmin' }, async ({ page, click }) => {
      await click(page.locator('[aria-keyshortcuts="Control+K"]'))
      await page.getByRole('textbox', { name: 'Search' }).fill('restart canteen')
      await page.locator('[data-action][data-selected]').filter({ hasText: 'Restart Canteen north' }).waitFor()
      await page.keyboard.press('Enter')
      await click(button(dialog(page, 'Restart Canteen north?'), 'Restart machine'))
      await page.getByText('Command sent to Canteen north').waitFor()
    })
    expect(await place.one('select type from remote_commands where merchant_id = $1')).toEqual({ type: 4 })
  })

  test('why a machine is offline takes at most 4 clicks', async () => {
    const place = await aPlace()
    const { database, merchantId } = place
    const client_id = await aClient(database, merchantId, { name: 'Hospital' })
    const silent = { client_id, connection: 0, last_seen_at: minutesAgo(90), signal_percent: 64 }
    const lobby = await place.machine('Lobby', silent)
    await place.machine('Ward 2', { ...silent, last_seen_at: minutesAgo(93) })
    await place.machine('Ward 3', { client_id })
    await anAlarm(database, lobby, {
      code: 'EK1',
      criticity: 0,
      status: 'notification',
      created_at: minutesAgo(91),
      last_at: minutesAgo(91),
    })
    await within({ place, name: 'why offline', budget: 4, size, role: 'merchantUser' }, async ({ page, click }) => {
      await click(page.getByRole('link', { name: /^Offline/ }).first())
      await page.getByText('1 other machine at Hospital went offline at the same time.').waitFor()
      await page.getByText('Last signal: 64%.').waitFor()
    })
  })

  test('a blocking alarm is acknowledged and assigned with 6 clicks', async () => {
    const place = await aPlace()
    const { database, merchantId } = place
    await anAlarm(database, await place.machine('Atrium', { pos_status: 3 }))
    const technician = await aUserWithPassword(database, 'merchantUser', [{ merchantId, groups: 'all' }], {})
    await database.admin(`update users set name = 'Tina Rossi' where id = $1`, [technician.id])
    await within({ place, name: 'alarm', budget: 6, size, role: 'merchantUser' }, async ({ page, click }) => {
      await click(page.getByRole('link', { name: '1 blocking alarm' }))
      await click(rows(page).filter({ hasText: 'Atrium' }).getByText('Banknote box full'))
      const alarm = dialog(page, 'Banknote box full')
      await click(button(alarm, 'Acknowledge'))
      await click(page.getByRole('menuitem', { name: 'For 4 hours' }))
      await alarm.getByText(/until/).waitFor()
      await click(button(alarm, 'Assign'))
      // The dialog begins in the field.
      await page.getByRole('option', { name: /Tina Rossi/ }).waitFor()
      await page.keyboard.type('Tina')
      await page.getByRole('option', { name: /Tina Rossi/ }).waitFor()
      await page.keyboard.press('Enter')
      await click(button(dialog(page, 'Assign this alarm'), 'Assign and send'))
      await alarm.getByText('Tina Rossi').first().waitFor()
    })
    expect(
      await place.one('select assignee_id, acknowledged_until is not null as acked from alarms where merchant_id = $1'),
    ).toEqual({ assignee_id: technician.id, acked: true })
  })
})

test('a stop of today’s round is visited on a phone with 6 taps', async () => {
  const place = await aPlace()
  const { database, merchantId } = place
  const machine = await place.machine('Station')
  await aStock(database, machine, { level: 4, capacity: 10 })
  const options = { place, name: 'visit', budget: 6, size: 'phone', role: 'merchantUser' } as const
  const day = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Rome' }).format(new Date())
  const roundId = await aRound(database, merchantId, { name: 'North', day })
  await aStop(database, machine, { round_id: roundId })
  await within(options, async ({ page, click, menu, user }) => {
    await database.admin('update rounds set assignee_id = $2, assignee_name = $3 where id = $1', [
      roundId,
      user.id,
      user.name,
    ])
    await menu('Rounds and stock', 'Rounds')
    await click(page.getByRole('region', { name: 'Your rounds' }).getByRole('link', { name: /North/ }))
    await click(page.getByRole('region', { name: 'Next stop' }).getByRole('link', { name: 'Visit' }))
    await click(button(page, 'Finish visit'))
    await page.getByText('1 of 1 stop').first().waitFor()
  })
  expect(await place.one('select count(*)::int as visits from visits where merchant_id = $1')).toEqual({ visits: 1 })
})

test('a failed vend is refunded with 3 clicks', async () => {
  const place = await aPlace()
  const { database, merchantId } = place
  await database.admin('update merchant_settings set maximum_refund = 1000 where merchant_id = $1', [merchantId])
  await aMedia(database, merchantId, { serial: 'K100' })
  const failed = { media_type: 2, media_serial: 'K100', error_sale: true, value: 120, created_at: new Date() }
  await aSale(database, await place.machine('Canteen north'), failed)
  await within({ place, name: 'refund', budget: 3, role: 'merchantUser' }, async ({ page, click }) => {
    await click(page.getByRole('link', { name: /charged for failed vends/ }))
    await click(button(rows(page), 'Refund €\u00a01,20'))
    await click(button(dialog(page, 'Refund €\u00a01,20?'), 'Refund €\u00a01,20'))
    await rows(page).getByText('Refunded', { exact: true }).waitFor()
  })
  expect(await place.one('select amount::int from refunds where merchant_id = $1')).toEqual({ amount: 120 })
})

test('the price of a product is changed on 40 machines with 8 clicks', async () => {
  const place = await aPlace()
  for (let n = 1; n <= 40; n++) {
    const machine = await place.machine(`Machine ${n}`)
    await aPrice(place.database, machine)
    await aPrice(place.database, machine, { selection: '12', product: 'Tea', price: 100 })
  }
  await within({ place, name: 'prices', budget: 8 }, async ({ page, click, menu }) => {
    await menu('Catalogue', 'Price plans')
    await click(page.getByRole('link', { name: 'Plan prices' }).first())
    await click(button(page, 'Select all 40 results'))
    await page.getByText('40 machines selected').waitFor()
    await click(page.getByRole('checkbox', { name: 'All price lists' }))
    await click(page.getByLabel('Product name contains'))
    await page.keyboard.type('espresso')
    await page.keyboard.press('Enter')
    await click(page.getByRole('radio', { name: /^Set a price/ }))
    await page.keyboard.press('Tab')
    await page.keyboard.type('1,60')
    await page.keyboard.press('Enter')
    await click(button(page, 'Change 40 prices of 40 machines'))
    await page.getByText('40 prices of 40 machines changed').waitFor()
  })
  expect(
    await place.one(
      `select count(*)::int from machine_prices where merchant_id = $1 and wanted = 160 and product = 'Espresso'`,
    ),
  ).toEqual({ count: 40 })
})

test('a round of three machines is planned with 6 clicks', async () => {
  const place = await aPlace()
  const { database, merchantId } = place
  for (const name of ['Lobby', 'Gate', 'Canteen'])
    await aStock(database, await place.machine(name, { last_audit_at: new Date() }), { level: 0, capacity: 10 })
  const technician = await aUserWithPassword(database, 'merchantUser', [{ merchantId, groups: 'all' }])
  await within({ place, name: 'round', budget: 6 }, async ({ page, click, menu }) => {
    await menu('Rounds and stock', 'Rounds')
    await click(page.getByRole('link', { name: 'New round' }).first())
    await click(button(page, 'Choose 3 machines'))
    await click(page.getByRole('combobox', { name: 'Technician' }))
    await page.keyboard.type('merchantUser')
    await page.getByRole('option', { name: technician.name }).waitFor()
    await page.keyboard.press('Enter')
    await click(button(page, 'Save round with 3 stops'))
    await page.waitForURL(/rounds\/[0-9a-f-]{36}/)
  })
  expect(
    await place.one(
      `select r.assignee_id, count(*)::int as stops from rounds r join round_stops s on s.merchant_id = r.merchant_id and s.round_id = r.id
       where r.merchant_id = $1 group by r.id, r.assignee_id`,
    ),
  ).toEqual({ assignee_id: technician.id, stops: 3 })
})

test('a new technician is invited with 6 clicks', async () => {
  const place = await aPlace()
  await place.machine('Lobby')
  const email = `tina-${place.merchantId}@gettone.test`
  await within({ place, name: 'invite', budget: 6 }, async ({ page, click, menu }) => {
    await menu('Organisation', 'Users')
    await click(page.getByRole('link', { name: /^(New user|Invite user)/ }).first())
    await click(page.getByRole('textbox', { name: /^Email/ }))
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Tina Rossi')
    await click(button(page, 'Save and invite'))
    await page.getByText('Tina Rossi invited').waitFor()
  })
  expect(
    await portal.database.admin(
      'select u.role, count(m)::int as mails from users u left join mailbox m on m.recipient = u.email where u.email = $1 group by u.role',
      [email],
    ),
  ).toEqual([{ role: 'merchantUser', mails: 1 }])
})

test('wrong prices are found and the right ones sent with 4 clicks', async () => {
  const place = await aPlace()
  for (const name of ['Lobby', 'Gate']) {
    const since = minutesAgo(3 * 1440)
    await aPrice(place.database, await place.machine(name), {
      price: 120,
      wanted: 150,
      wanted_at: since,
      wrong_since: since,
    })
  }
  await within({ place, name: 'wrong prices', budget: 4 }, async ({ page, click }) => {
    await click(page.getByRole('link', { name: /^2 wrong prices/ }))
    await click(page.getByRole('checkbox', { name: 'Select all rows on this page' }))
    await click(button(page, 'Send prices again'))
    await click(button(dialog(page), 'Send prices again'))
    await page.getByText('Prices are on their way to 2 machines').waitFor()
  })
  expect(await place.one('select count(*)::int from remote_commands where merchant_id = $1')).toEqual({ count: 2 })
})

test('the difference of a collection is found with 3 clicks', async () => {
  const place = await aPlace()
  const counted = { status: 'counted', bag_number: 'BAG-7', counted_at: new Date(), counted_by_name: 'Test' }
  await aCollection(place.database, await place.machine('Lobby'), {
    ...counted,
    counted: '[{"value":100,"count":10}]',
    counted_total: 1000,
    reported_total: 1350,
  })
  await within({ place, name: 'collection', budget: 3 }, async ({ page, click, menu }) => {
    await menu('Money', 'Cash collections')
    await click(rows(page).filter({ hasText: 'BAG-7' }).getByText('Lobby'))
    await dialog(page, 'Bag BAG-7').getByText('€ −3,50').waitFor()
  })
})

test('a claim is opened for a caller and refunded with 8 clicks', async () => {
  const place = await aPlace()
  const { database, merchantId } = place
  await database.admin('update merchant_settings set maximum_refund = 1000 where merchant_id = $1', [merchantId])
  await aMedia(database, merchantId, { serial: 'K100' })
  const failed = { media_type: 2, media_serial: 'K100', error_sale: true, value: 120, created_at: new Date() }
  await aSale(database, await place.machine('Canteen north'), failed)
  await within({ place, name: 'claim', budget: 8 }, async ({ page, click, menu }) => {
    await menu('Customers', 'Claims')
    await click(page.getByRole('link', { name: 'Open claim' }).first())
    // The screen begins in the field of the machine.
    await page.locator('main :focus').waitFor()
    await page.keyboard.type('canteen')
    await page.getByRole('option', { name: 'Canteen north' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await click(button(page, 'This vend'))
    await click(page.getByRole('textbox', { name: /^Description/ }))
    await page.keyboard.type('It kept my money')
    await click(button(page, 'Open claim'))
    await page.getByRole('heading', { level: 1, name: 'Claim 1' }).waitFor()
    await click(button(page, /^Refund /))
    await click(button(dialog(page), /^Refund /))
    await expect
      .poll(() => place.one('select amount::int from refunds where merchant_id = $1'), patience)
      .toEqual({ amount: 120 })
  })
})

test('a stranger finds wrong prices, firmware rules, payment accounts and the restart with 2 clicks each', async () => {
  const place = await aPlace()
  await place.machine('Canteen north')
  const user = await aUserWithPassword(portal.database, 'merchantAdmin', [
    { merchantId: place.merchantId, groups: 'all' },
  ])
  const page = await signedIn(portal, user, '/dashboard', { viewport: sizes.desktop })
  const clicks = await countClicks(page)
  const items = page.getByRole('navigation', { name: 'Main menu' })
  for (const [group, screen, found] of [
    ['Catalogue', 'Wrong prices', page.getByRole('heading', { level: 1, name: 'Wrong prices' })],
    ['Catalogue', 'Firmware rules', page.getByRole('heading', { level: 1, name: 'Firmware rules' })],
    ['Organisation', 'Payment accounts', page.getByRole('heading', { level: 1, name: 'Payment accounts' })],
    ['Machines', 'Machines', button(page, 'Restart: Canteen north')],
  ] as const) {
    await page.goto('/dashboard')
    await page.locator('main [aria-busy="false"]').first().waitFor()
    const before = clicks()
    await button(items, group).click()
    await items.getByRole('link', { name: screen, exact: true }).last().click()
    await found.waitFor()
    expect(clicks() - before, screen).toBeLessThanOrEqual(2)
  }
  expect(page.complaints).toEqual([])
})
