import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { accessibilityFaults, aPage } from '#testkit/browser/browser.ts'
import { openPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aClient, aGroup, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { filterChip } from '#testkit/list-filters.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import { aPortal as aPublishedPortal } from '#testkit/nouns/key-portal.ts'

/* Actions on machines, on their page and in their list. */

let portal: TestPortal & { stop: () => Promise<void> }
let merchantId: string
beforeAll(async () => {
  portal = await openPortal()
  merchantId = (await aMerchant(portal.database)).id
}, 180_000)
afterAll(() => portal?.stop())

async function as(role: Role, path: string, groups: 'all' | string[] = 'all') {
  const person = await aUserWithPassword(portal.database, role, [{ merchantId, groups }])
  return signedIn(portal, person, path)
}

const stored = async (id: string) =>
  (
    await portal.database.admin<Record<string, unknown>>(
      'select hidden, deleted_at, client_id, group_id from machines where id = $1',
      [id],
    )
  )[0]

test('a machine is hidden from its menu, and the message undoes it', async () => {
  const machine = await aMachine(portal.database, merchantId)
  const page = await as('groupAdmin', `/devices/${machine.id}`, [await groupOf(machine.id)])
  await page.getByRole('button', { name: 'More actions' }).click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  // Neither is a group admin's.
  expect(await items.filter({ hasText: /^(Reset|Delete)$/ }).count()).toBe(0)
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await page.getByText('This machine is hidden').waitFor()
  expect(await stored(machine.id)).toMatchObject({ hidden: true })
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('This machine is hidden').waitFor({ state: 'hidden' })
  expect(await stored(machine.id)).toMatchObject({ hidden: false })
  expect(page.complaints).toEqual([])
}, 180_000)

test('a deletion lists what is deleted and what stays, and leads to the list', async () => {
  const machine = await aMachine(portal.database, merchantId)
  await anAlarm(portal.database, machine)
  const page = await as('merchantAdmin', `/devices/${machine.id}`)
  const elsewhere = await page.context().newPage()
  await elsewhere.goto(`${portal.url}/devices/${machine.id}/details`)
  await elsewhere.getByRole('heading', { name: machine.name, level: 1 }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${machine.name}?` })
  await dialog.getByText('1 open alarm, which will be closed').waitFor()
  await dialog.getByText(`Serial ${machine.serial},`, { exact: false }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL('**/devices/list*')
  await page.getByText(`${machine.name} deleted`).waitFor()
  expect(await stored(machine.id)).toMatchObject({ hidden: true, deleted_at: expect.any(Date) })
  // The deleted machine's page says so, both in an open tab and when it is opened, and offers a link.
  await elsewhere.getByRole('heading', { name: 'Machine not found.' }).waitFor()
  await page.goto(`/devices/${machine.id}`)
  await page.getByRole('heading', { name: 'Machine not found.' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Machines' }).last().click()
  await page.waitForURL('**/devices/list*')
}, 180_000)

test('many machines are assigned to a client at once, and the message undoes it', async () => {
  const group = await aGroup(portal.database, merchantId, `Bulk ${Date.now()}`)
  const machines = [
    await aMachine(portal.database, merchantId, { groupId: group }),
    await aMachine(portal.database, merchantId, { groupId: group }),
  ]
  const name = `Ospedale ${Date.now()}`
  const clientId = await aClient(portal.database, merchantId, { name })
  const page = await as('merchantAdmin', `/devices/list?groupIds=${group}`)
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await page.getByRole('button', { name: 'Set client' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set client of 2 machines' })
  await dialog.getByLabel('Client').click()
  await page.getByRole('option', { name }).click()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await page.getByText('2 machines assigned').waitFor()
  for (const { id } of machines) expect(await stored(id)).toMatchObject({ client_id: clientId })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  for (const { id } of machines) expect(await stored(id)).toMatchObject({ client_id: null })
}, 180_000)

test('the list is filtered by hidden machines and by days, and its address contains both filters', async () => {
  const hidden = await aMachine(portal.database, merchantId, {
    columns: { hidden: true, warranty_until: '2031-05-01', created_at: '2020-03-04T10:00:00Z' },
  })
  const page = await as(
    'merchantUser',
    '/devices/list?hidden=only&createdRangeDate=2020-03-04&createdRangeDate=2020-03-04',
  )
  await page.getByText(hidden.name).first().waitFor()
  expect(await page.locator('main [data-row]').count()).toBe(1)
  await page.goto('/devices/list?hidden=only&createdRangeDate=2020-03-05&createdRangeDate=2020-03-06')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await filterChip(page, /^Created/).waitFor()
  expect(await page.locator('main [data-row]').count()).toBe(0)
}, 180_000)

test('a machine’s QR code leads to its page through sign-in, and is printed on sheets', async () => {
  const machine = await aMachine(portal.database, merchantId, { name: 'Sala d’attesa' })
  const page = await as('merchantUser', `/m/${machine.serial}`)
  await page.waitForURL(`**/devices/${machine.id}*`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'QR code' }).click()
  const dialog = page.getByRole('dialog', { name: 'QR code of Sala d’attesa' })
  await dialog.getByRole('img', { name: /\/m\/[0-9a-f]{12}$/ }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PNG' }).click()
  expect((await saved).suggestedFilename()).toBe(`${machine.serial}.png`)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'QR sheets' }).click()
  const sheets = page.getByRole('dialog', { name: 'QR sheets' })
  await sheets.getByText('1 label', { exact: true }).waitFor()
  await sheets.getByLabel('Paper').selectOption('roll62x100')
  expect(await accessibilityFaults(page)).toEqual([])
  const document = page.waitForEvent('download')
  await sheets.getByRole('button', { name: 'Download PDF' }).click()
  expect((await document).suggestedFilename()).toBe('QR sheets.pdf')
  await page.keyboard.press('Escape')
  await page.goto('/m/NOBODYS')
  await page.getByText('No machine with serial NOBODYS').waitFor()
}, 180_000)

test('a technician’s code leads to the machine’s page in the portal, also where customers have one of their own', async () => {
  const machine = await aMachine(portal.database, merchantId, { name: 'Ingresso' })
  await aPublishedPortal(portal.database, merchantId)
  const page = await as('merchantUser', '/dashboard')
  const [code] = await portal.database.admin<{ code: string }>(
    'select code from machine_directory where machine_id = $1',
    [machine.id],
  )
  const stranger = await aPage({ baseURL: portal.url })
  await stranger.goto(`/m/${code?.code}`)
  await stranger.waitForURL(`**/key/**/m/${code?.code}*`)
  await page.goto(`/m/${code?.code}?staff`)
  await page.waitForURL(`**/devices/${machine.id}*`)
  // A visitor without a session is led to the sign-in, never to the page for customers.
  await stranger.goto(`/m/${code?.code}?staff`)
  await stranger.waitForURL('**/identity/**')
}, 180_000)

/** Puts a machine into a group of its own. */
async function groupOf(machineId: string): Promise<string> {
  const group = await aGroup(portal.database, merchantId)
  await portal.database.admin('update machines set group_id = $2 where id = $1', [machineId, group])
  return group
}
