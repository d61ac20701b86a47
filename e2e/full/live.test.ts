import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startLiveHub } from '#server/live/hub.ts'
import { accessibilityFaults, aPage } from '#testkit/browser/browser.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, password, signedIn, signIn } from '#testkit/browser/sign-in.ts'
import { systemAddressOf } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

/* Live updates in browsers: one connection for all tabs, nothing missed after a break, paused during input, and ended
   with the session. */

const patience = { timeout: 30_000 }

/** A portal with a merchant of two machines, and another process that announces events. */
async function aScene() {
  const portal = await aPortal()
  const { database } = portal
  const elsewhere = await startLiveHub(systemAddressOf(database.adminUrl))
  onTestFinished(() => elsewhere.stop())
  const merchant = await aMerchant(database)
  const machines = { north: await aMachine(database, merchant.id), south: await aMachine(database, merchant.id) }
  const aUser = () => aUserWithPassword(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  /** An alarm on a machine, announced to all users unless it is silent. */
  const anAlarmOn = async (machine: TestMachine, { isSilent = false } = {}) => {
    await anAlarm(database, machine)
    if (!isSilent) elsewhere.announce(merchant.id, 'alarm', machine.id)
  }
  return { portal, elsewhere, machines, aUser, anAlarmOn }
}
type Scene = Awaited<ReturnType<typeof aScene>>

const alarmsIn = (page: Page) => page.locator('main [data-row]').count()
const isLive = (page: Page) => page.getByText(/^Live/).first().waitFor()

async function streams({ portal }: Scene): Promise<number> {
  const metrics = await (await fetch(`${portal.url}/metrics`)).text()
  return Number(/^gettone_live_streams (\d+)/m.exec(metrics)?.[1])
}

test('twenty tabs use one connection and all are updated; when the leading tab closes another takes over and nothing is missed', async () => {
  const scene = await aScene()
  const { machines, anAlarmOn, aUser } = scene
  const first = await signedIn(scene.portal, await aUser(), '/alarms')
  await isLive(first)
  const tabs: Page[] = [first]
  while (tabs.length < 20) {
    const tab = await first.context().newPage()
    await tab.goto('/alarms')
    tabs.push(tab)
  }
  for (const tab of tabs) await isLive(tab)
  expect(await streams(scene)).toBe(1)

  await anAlarmOn(machines.north)
  for (const tab of tabs) await expect.poll(() => alarmsIn(tab), patience).toBe(1)
  expect(await streams(scene)).toBe(1)

  // The lock belongs to the first tab that requested it, so the first tab leads.
  await first.close()
  await anAlarmOn(machines.south, { isSilent: true })
  const [, ...others] = tabs
  for (const tab of others) await expect.poll(() => alarmsIn(tab), patience).toBe(2)
  await expect.poll(() => streams(scene), patience).toBe(1)
}, 240_000)

test('events during a broken connection are shown after it', async () => {
  const scene = await aScene()
  const { portal, machines, anAlarmOn, aUser } = scene
  const page = await signedIn(scene.portal, await aUser(), '/alarms')
  await isLive(page)
  expect(await alarmsIn(page)).toBe(0)
  await anAlarmOn(machines.north, { isSilent: true })
  await portal.database.admin(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gettone_live' and datname = current_database()`,
  )
  await expect.poll(() => alarmsIn(page), patience).toBe(1)
})

test('while a note is being written nothing moves on that page; afterwards it is updated', async () => {
  const scene = await aScene()
  const { machines, aUser } = scene
  const address = `/devices/${machines.north.id}/notes`
  const person = await aUser()
  const page = await signedIn(scene.portal, person, address)
  await isLive(page)
  const beside = await page.context().newPage()
  await beside.goto(address)
  await isLive(beside)
  await page.getByLabel('New note').fill('The key hangs')
  const text = 'Written by somebody else'
  await scene.portal.database.admin(
    `insert into notes (merchant_id, id, machine_id, created_at, created_by, created_by_name, note)
     values ($1, gen_random_uuid(), $2, now(), $3, 'Anna', $4)`,
    [machines.north.merchantId, machines.north.id, person.id, text],
  )
  scene.elsewhere.announce(machines.north.merchantId, 'note', machines.north.id)
  await beside.getByText(text).waitFor()
  expect(await page.getByText(text).count()).toBe(0)
  await page.getByLabel('New note').fill('')
  await page.getByText(text).waitFor()
})

test('a password change in another browser ends the session here at once, with a message', async () => {
  const scene = await aScene()
  const person = await scene.aUser()
  const here = await signedIn(scene.portal, person, '/alarms')
  await isLive(here)
  const there = await signedIn(scene.portal, person, '/settings/profile')
  await isLive(there)
  const asked = here.waitForEvent('popup')
  await there.getByRole('button', { name: 'Change password' }).click()
  await there.getByLabel('Current password').fill(password)
  await there.getByLabel('New password', { exact: true }).fill('Another-secret-2')
  await there.getByLabel('Repeat new password').fill('Another-secret-2')
  await there.getByRole('button', { name: 'Change password' }).click()
  await there.getByText('Your password has been changed').waitFor()
  // The other browser checks its session; without an answer the session is over.
  await (await asked).close()
  await here.getByText('Your session has ended').waitFor()
  expect(new URL(here.url()).pathname).toBe('/login')
  // The browser in which the password changed continues.
  await there.getByRole('link', { name: 'Back to your profile' }).click()
  await there.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await isLive(there)
})

test('signing out in one browser leaves the other one signed in', async () => {
  const scene = await aScene()
  const person = await scene.aUser()
  const leaving = await signedIn(scene.portal, person, '/alarms')
  const staying = await signedIn(scene.portal, person, '/alarms')
  await isLive(leaving)
  await isLive(staying)
  await leaving.getByRole('button', { name: /your account/ }).click()
  await leaving.getByRole('menuitem', { name: 'Sign out' }).click()
  await leaving.waitForURL((url) => url.pathname === '/login')
  await scene.anAlarmOn(scene.machines.north)
  await expect.poll(() => alarmsIn(staying), patience).toBe(1)
  await expect.poll(() => streams(scene), patience).toBe(1)
})

test('a browser signed out from another browser’s profile is out at once, and the others stay', async () => {
  const scene = await aScene()
  const person = await scene.aUser()
  const ending = await signedIn(scene.portal, person, '/settings/profile')
  const ended = await signedIn(scene.portal, person, '/alarms')
  const third = await signedIn(scene.portal, person, '/alarms')
  for (const page of [ended, third]) await isLive(page)
  await ending.reload()
  const list = ending.getByRole('list').filter({ hasText: 'This browser' })
  await expect.poll(() => list.getByRole('listitem').count(), patience).toBe(3)
  expect(await accessibilityFaults(ending)).toEqual([])
  // The session used last is first in the list, so it is the third browser's.
  const asked = Promise.race([ended.waitForEvent('popup'), third.waitForEvent('popup')])
  await list.getByRole('button').first().click()
  const dialog = ending.getByRole('dialog')
  await dialog.getByText('ends immediately').waitFor()
  expect(await accessibilityFaults(ending)).toEqual([])
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await ending.getByText('Session ended').waitFor()
  await (await asked).close()
  await expect.poll(() => list.getByRole('listitem').count(), patience).toBe(2)
  const ends = await Promise.all(
    [ended, third].map(async (page) => {
      await page
        .getByText(/^Live|Your session has ended/)
        .first()
        .waitFor()
      return page.getByText('Your session has ended').count()
    }),
  )
  expect(ends.reduce((sum, count) => sum + count, 0)).toBe(1)
})

test('a suspended user is signed out at once; a demoted user loses the screens of the old role', async () => {
  const scene = await aScene()
  const { portal, elsewhere } = scene
  const suspended = await scene.aUser()
  const demoted = await scene.aUser()
  const one = await signedIn(scene.portal, suspended, '/alarms')
  const other = await signedIn(scene.portal, demoted, '/devices/remote-commands')
  for (const page of [one, other]) await isLive(page)
  await portal.database.admin(`update users set status = 'suspended' where id = $1`, [suspended.id])
  elsewhere.announceUser(suspended.id)
  await one.waitForURL((url) => url.pathname === '/unauthorized')
  await one.getByRole('heading', { name: 'Unauthorized' }).waitFor()

  await portal.database.admin(`update users set role = 'merchantUser' where id = $1`, [demoted.id])
  elsewhere.announceUser(demoted.id)
  await other.waitForURL((url) => url.pathname === '/unauthorized')
})

test('a list is refreshed after five minutes, even without live updates', async () => {
  const { portal, machines, aUser, anAlarmOn } = await aScene()
  const page = await aPage({ baseURL: portal.url })
  await page.route('**/users/me/live', (route) => route.abort())
  await page.clock.install()
  await signIn(page, await aUser(), '/alarms')
  await page.getByText('No open alarms').first().waitFor()
  await anAlarmOn(machines.north)
  await page.clock.fastForward('04:30')
  expect(await alarmsIn(page)).toBe(0)
  await page.clock.fastForward('00:40')
  await expect.poll(() => alarmsIn(page), patience).toBe(1)
})
