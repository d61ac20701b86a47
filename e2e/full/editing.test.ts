import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { aPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aGroup, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

/* Conflicts and failures of edits: bulk edits, two editors at once, a lost connection, and undo. */

async function aSetting() {
  const portal = await aPortal()
  const merchant = await aMerchant(portal.database)
  const signIn = async (path: string, role: Role = 'merchantAdmin', of = portal) => {
    const person = await aUserWithPassword(of.database, role, [{ merchantId: merchant.id, groups: 'all' }])
    return signedIn(of, person, path)
  }
  return { portal, database: portal.database, merchant, signIn }
}

/** The page's requests of one method to one address. */
function sentBy(page: Page, method: string, path: RegExp) {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) bodies.push(request.postDataJSON())
  })
  return bodies
}

const machineIn = async (database: TestPortal['database'], id: string) =>
  (
    await database.admin<{ name: string; address: string | null; version: number }>(
      'select name, address, version from machines where id = $1',
      [id],
    )
  )[0]

const nameIn = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

test('all matching alarms except deselected ones are repaired by their filter; the button undoes it', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id)
  for (let n = 0; n < 30; n++) await anAlarm(database, machine, { code: `EN${n}` })
  const page = await signIn('/alarms')
  const bodies = sentBy(page, 'PUT', /\/pos\/alarms\/repair$/)
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Select all 30 matching' }).click()
  await bar.getByText('All 30 matching rows are selected').waitFor()
  await page.getByRole('checkbox', { name: 'Select this row' }).first().uncheck()
  await bar.getByText('29 of 30 matching selected').waitFor()
  await bar.getByRole('button', { name: 'Mark as repaired' }).click()
  const question = page.getByRole('dialog', { name: 'Mark 29 alarms as repaired?' })
  // Meanwhile one more alarm arrives: the dialog appears again with the new number.
  await anAlarm(database, machine, { code: 'LATE' })
  await question.getByRole('button', { name: 'Mark 29 as repaired' }).click()
  const again = page.getByRole('dialog', { name: 'Mark 30 alarms as repaired?' })
  await again.getByText('30 rows match now.').waitFor()
  await again.getByRole('button', { name: 'Mark 30 as repaired' }).click()
  await page.getByText('30 alarms marked as repaired').waitFor()
  expect(bodies).toEqual([
    {
      alarms: {
        matching: { statuses: ['active', 'notification'] },
        count: 29,
        except: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
      },
    },
    { alarms: expect.objectContaining({ count: 30 }) },
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: 30 alarms are open again').waitFor()
  const [open] = await database.admin(`select count(*)::int as n from alarms where status = 'active'`)
  expect(open).toEqual({ n: 31 })
})

test('Ctrl+Z undoes the last repair', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id)
  const id = await anAlarm(database, machine)
  const page = await signIn('/alarms')
  await page.locator('main [data-row]').first().press('x')
  const bar = page.getByRole('toolbar', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Mark as repaired' }).click()
  const question = page.getByRole('dialog', { name: 'Mark this alarm as repaired?' })
  await question.getByRole('button', { name: 'Mark as repaired' }).click()
  await page.getByText('Alarm marked as repaired').waitFor()
  await question.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: the alarm is open again').waitFor()
  expect(await database.admin('select status from alarms where id = $1', [id])).toEqual([{ status: 'active' }])
})

test('a command to all matching machines: address and request carry the filter', async () => {
  const { database, merchant, signIn } = await aSetting()
  for (let n = 0; n < 25; n++) await aMachine(database, merchant.id, { name: `Lobby ${n}` })
  await aMachine(database, merchant.id, { name: 'Elsewhere' })
  const page = await signIn('/devices/list?search=Lobby')
  const bodies = sentBy(page, 'POST', /\/remote-commands$/)
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Select all 25 matching' }).click()
  await bar.getByRole('button', { name: 'Send command' }).click()
  await page.waitForURL((url) => url.pathname === '/devices/remote-commands')
  expect(new URL(page.url()).searchParams.get('search')).toBe('Lobby')
  await page.getByText('25 machines selected').waitFor()
  const next = page.getByRole('button', { name: 'Next', exact: true })
  await next.click()
  await page.getByRole('radio', { name: /Read audit/ }).click()
  await next.click()
  await next.click()
  await page.getByRole('button', { name: 'Send to 25 machines' }).click()
  await page.getByRole('list', { name: 'Results by machine' }).getByRole('listitem').nth(24).waitFor()
  expect(bodies).toMatchObject([{ machines: { matching: { search: 'Lobby' }, count: 25 }, order: { type: 1 } }])
})

test('two tabs change a machine: the page shows conflicting fields and merges the others', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id, { name: 'Atrium' })
  const path = `/devices/${machine.id}/details`
  const one = await signIn(path)
  const other = await signIn(path)
  await nameIn(one).waitFor()
  await nameIn(other).fill('Theirs')
  // The first tab is edited before the second saves, so that no live update reaches it.
  await nameIn(one).fill('Mine')
  await other.getByLabel('Address').fill('Via Roma 1')
  await save(other).click()
  await other.getByText('Machine saved').waitFor()
  await save(one).click()
  const conflict = one.getByRole('alertdialog', { name: 'Changed by another user at the same time' })
  await conflict.getByText('Test merchantAdmin saved another value.').waitFor()
  expect(await accessibilityFaults(one)).toEqual([])
  const field = conflict.getByRole('group', { name: 'Name' })
  await field.getByRole('button', { name: 'Take theirs Theirs' }).waitFor()
  await field.getByRole('button', { name: 'Keep mine Mine' }).click()
  await conflict.getByRole('button', { name: 'Save my choice' }).click()
  await one.getByText('also changed Address. Both changes are kept.').waitFor()
  await conflict.waitFor({ state: 'hidden' })
  expect(await machineIn(database, machine.id)).toEqual({ name: 'Mine', address: 'Via Roma 1', version: 3 })
})

test('the name of another machine is refused at its field', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id, { name: 'Atrium' })
  await aMachine(database, merchant.id, { name: 'Lobby' })
  const page = await signIn(`/devices/${machine.id}/details`)
  await nameIn(page).fill('Lobby')
  await save(page).click()
  await page.getByText('Another machine of this merchant has this name.').first().waitFor()
  expect(await nameIn(page).getAttribute('aria-invalid')).toBe('true')
})

test('the connection is lost during a save: the input stays, and a retry is no conflict with the first try', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id, { name: 'Atrium' })
  const page = await signIn(`/devices/${machine.id}/details`)
  // The server receives it, and its answer never arrives.
  let isLost = true
  await page.route(/\/pos\/[0-9a-f-]+$/, async (route) => {
    if (!isLost || route.request().method() !== 'PUT') return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await nameIn(page).fill('Saved once')
  await save(page).click()
  await page.getByText('Your entries are still here. Check whether they were saved.').waitFor()
  expect(await nameIn(page).inputValue()).toBe('Saved once')
  isLost = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Machine saved').waitFor()
  expect(await machineIn(database, machine.id)).toMatchObject({ name: 'Saved once', version: 2 })
})

test('text typed during a save stays, and is sent with the next save', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id, { name: 'Atrium' })
  const page = await signIn(`/devices/${machine.id}/details`)
  const { promise: mayGo, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/\/pos\/[0-9a-f-]+$/, async (route) => {
    if (route.request().method() === 'PUT') await mayGo
    await route.continue()
  })
  await nameIn(page).fill('Atrium left')
  await save(page).click()
  await nameIn(page).fill('Atrium left, first floor')
  letGo()
  await page.getByText('Machine saved').waitFor()
  await expect.poll(() => machineIn(database, machine.id)).toMatchObject({ name: 'Atrium left', version: 2 })
  expect(await nameIn(page).inputValue()).toBe('Atrium left, first floor')
  await save(page).click()
  await expect
    .poll(() => machineIn(database, machine.id))
    .toMatchObject({ name: 'Atrium left, first floor', version: 3 })
})

test('without a connection a form reports that and keeps its input, although nothing can be fetched', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id, { name: 'Atrium' })
  const page = await signIn(`/devices/${machine.id}/details`)
  await nameIn(page).fill('Typed in a tunnel')
  await page.context().setOffline(true)
  // A part that was not loaded yet fails to load; the page stays.
  await page.getByRole('link', { name: 'Commands', exact: true }).first().hover()
  await save(page).click()
  await page.getByText('Your entries are still here. Check whether they were saved.').waitFor()
  expect(await nameIn(page).inputValue()).toBe('Typed in a tunnel')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Machine saved').waitFor()
  expect(await machineIn(database, machine.id)).toMatchObject({ name: 'Typed in a tunnel', version: 2 })
})

test('a click on Save puts the focus into the invalid field', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id, { name: 'Atrium' })
  const page = await signIn(`/devices/${machine.id}/details`)
  await nameIn(page).fill('')
  await save(page).click()
  await page.getByText('All required fields must be filled').waitFor()
  await expect.poll(() => nameIn(page).evaluate((field) => field === document.activeElement)).toBe(true)
})

test('a note is created once, however often its answer is lost', async () => {
  const { database, merchant, signIn } = await aSetting()
  const machine = await aMachine(database, merchant.id)
  const page = await signIn(`/devices/${machine.id}/notes`)
  let lost = 1
  await page.route(/\/notes$/, async (route) => {
    if (route.request().method() !== 'POST' || lost-- <= 0) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByLabel('New note').fill('The key hangs at the lodge')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText('Check whether they were saved.').waitFor()
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.locator('main [data-row]').getByText('The key hangs at the lodge').waitFor()
  expect(await database.admin('select from notes')).toHaveLength(1)
})

/** Pastes a text into the page. */
const paste = (page: Page, text: string) =>
  page.evaluate((data) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', data)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)

async function anOpenGrid(count: number) {
  const setting = await aSetting()
  const { database, merchant, signIn } = setting
  const groups = [await aGroup(database, merchant.id, 'North'), await aGroup(database, merchant.id, 'South')]
  await database.admin(
    `insert into machines (merchant_id, id, serial, name, device_type, created_at)
     select $1, gen_random_uuid(), 'S' || lpad(n::text, 4, '0'), 'M ' || lpad(n::text, 4, '0'), 'AZVT', now()
     from generate_series(1, $2::int) n`,
    [merchant.id, count],
  )
  const page = await signIn('/devices/list?ord=serial&ordType=ASC')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const grid = page.getByRole('grid', { name: 'Machines' })
  await grid.waitFor()
  const named = async (serial: string) =>
    (
      await database.admin<{ id: string; name: string; address: string | null; group_id: string | null }>(
        'select id, name, address, group_id from machines where merchant_id = $1 and serial = $2',
        [merchant.id, serial],
      )
    )[0]
  return { ...setting, page, grid, groups, named }
}

test('a grid is edited by keyboard: typing, Enter, Tab, Esc, a choice, fill, undo', async () => {
  const { page, grid, groups, named } = await anOpenGrid(5)
  await page.keyboard.type('Lobby')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Via Roma 1')
  await page.keyboard.press('Enter')
  await page.getByText('2 changes').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+d')
  await page.getByText('4 changes').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('2 changes').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await grid.getByRole('combobox').selectOption('South')
  await page.keyboard.press('Enter')
  await page.getByText('3 changes').waitFor()
  // An empty name is refused in its cell, and Esc restores the cell.
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Delete')
  await page.getByText('This field is required').waitFor()
  expect(await save(page).isDisabled()).toBe(true)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await save(page).click()
  await page.getByText('1 row saved').waitFor()
  expect(await named('S0001')).toMatchObject({ name: 'Lobby', address: 'Via Roma 1', group_id: groups[1] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: 1 row restored').waitFor()
  expect(await named('S0001')).toMatchObject({ name: 'M 0001', address: null, group_id: null })
  await grid.getByText('M 0001').waitFor()
})

test('5,000 cells are pasted, the number of cells beyond the end is shown, and all rows are saved', async () => {
  const { database, page, grid } = await anOpenGrid(500)
  const text = Array.from({ length: 1_667 }, (_, n) => `N ${n + 1}\tVia Roma ${n + 1}\tNorth`).join('\r\n')
  await grid.focus()
  await paste(page, text)
  await page.getByText('1.500 cells pasted. 3.501 cells outside the table were not pasted.').waitFor()
  await page.getByText('1.500 changes').waitFor()
  // The page still responds, and holds only visible rows.
  expect(await grid.getByRole('row').count()).toBeLessThan(60)
  await save(page).click()
  await page.getByText('500 rows saved').waitFor()
  const [saved] = await database.admin(
    `select count(*)::int as n from machines where name like 'N %' and address like 'Via Roma %' and group_id is not null`,
  )
  expect(saved).toEqual({ n: 500 })
})

test('for rows that another user changed too, the page shows conflicts and merges the others', async () => {
  const { database, page, grid, named } = await anOpenGrid(3)
  const joined = await named('S0001')
  const theirs = await named('S0002')
  await grid.focus()
  await paste(page, 'A\nB\nC')
  await database.admin(`update machines set address = 'Via Roma 1', version = 2 where id = $1`, [joined?.id])
  await database.admin(`update machines set name = 'Theirs', version = 2 where id = $1`, [theirs?.id])
  await save(page).click()
  await page.getByText('2 rows saved').waitFor()
  await page.getByText('1 change', { exact: true }).waitFor()
  expect(await named('S0001')).toMatchObject({ name: 'A', address: 'Via Roma 1' })
  expect(await named('S0002')).toMatchObject({ name: 'Theirs' })
  expect(await named('S0003')).toMatchObject({ name: 'C' })
  const conflict = page.getByRole('alertdialog', { name: 'Changed by another user at the same time' })
  await conflict.getByRole('button', { name: 'Keep mine B' }).waitFor()
  // The other user's values are not overwritten before that decision.
  expect(await save(page).isDisabled()).toBe(true)
  await conflict.getByRole('button', { name: 'Keep mine B' }).click()
  await conflict.getByRole('button', { name: 'Save my choice' }).click()
  await page.getByText('1 row saved').waitFor()
  expect(await named('S0002')).toMatchObject({ name: 'B' })
})

test('leaving a grid with changes needs a confirmation', async () => {
  const { page } = await anOpenGrid(2)
  await page.keyboard.type('Lobby')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Alarms', exact: true }).first().click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByText('1 change', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog', { name: 'Discard the changes?' }).getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('grid').waitFor({ state: 'detached' })
  // The list keeps its scroll position.
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  await expect.poll(() => edit.evaluate((button) => button === document.activeElement)).toBe(true)

  // The browser's Back button leaves the grid too, after the same confirmation.
  await page.getByRole('button', { name: 'Machine', exact: true }).click()
  await page.waitForURL(/ord=name/)
  await edit.click()
  await page.getByRole('grid').waitFor()
  await page.keyboard.type('Lobby')
  await page.keyboard.press('Enter')
  await page.getByText('1 change', { exact: true }).waitFor()
  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: 'Leave page' }).click()
  await page.getByRole('grid').waitFor({ state: 'detached' })
  expect(page.url()).toContain('ord=serial')
})
