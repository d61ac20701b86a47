import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { planFleet } from '#demo/fleet/fleet.ts'
import { startLiveHub } from '#server/live/hub.ts'
import { createVault } from '#server/secrets/vault.ts'
import { runRollouts } from '#server/worker/rollouts.ts'
import { startFleet } from '#simulator/fleet.ts'
import { takePicture } from '#testkit/browser/looks.ts'
import { aFreePort, openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { systemAddressOf } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'

/* From an uploaded firmware to a finished rollout: simulated machines install it, one fails, a user decides. */

let portal: Awaited<ReturnType<typeof openPortal>>
let broker: string
const stops: (() => Promise<unknown> | unknown)[] = []
beforeAll(async () => {
  const mqttPort = await aFreePort()
  broker = `mqtt://127.0.0.1:${mqttPort}`
  portal = await openPortal({ MQTT_PORT: String(mqttPort) }, ['api', 'gateway'])
  const live = await startLiveHub(systemAddressOf(portal.database.adminUrl))
  const deps = { doors: portal.database, vault: createVault(portal.config.secretKey), live, config: portal.config }
  // The worker's minute, several times a second.
  let isOver = false
  const minutes = (async () => {
    while (!isOver) {
      await runRollouts(deps, new Date())
      await new Promise((done) => setTimeout(done, 300))
    }
  })()
  stops.push(async () => {
    isOver = true
    await minutes
    await live.stop()
  })
}, 180_000)
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  await portal?.stop()
}, 60_000)

/** Simulated machines without customers and faults, with clocks in their merchant's time zone: windows are local times. */
function aFleet(machines: readonly TestMachine[]) {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-updates-'))
  const members = planFleet({ seed: 'updates', machines: machines.length, salesPerDay: 1, secretKey: '' }).map(
    ({ plan }, at) => {
      const { serial, secret } = machines[at] as TestMachine
      const quiet = { behaviour: 'success' as const, trouble: 1e-9, rhythm: plan.rhythm.map(() => 0) }
      const clock = { timeZone: 'Europe/Rome', driftSeconds: 0 }
      return { plan: { ...plan, ...quiet, ...clock, serial, secret }, lastSeq: 0 }
    },
  )
  const fleet = startFleet({ members, broker, portal: portal.url, folder, priceEdits: 0, restartSeconds: 1 })
  stops.push(async () => {
    await fleet.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return fleet
}

const choose = async (page: Page, field: string | RegExp, option: string | RegExp) => {
  await page
    .getByRole('textbox', { name: field })
    .or(page.getByRole('combobox', { name: field }))
    .first()
    .click()
  await page.getByRole('option', { name: option }).first().click()
  await page.keyboard.press('Escape')
}
const fill = (page: Page, field: string | RegExp, value: string) =>
  page.getByRole('textbox', { name: field }).fill(value)
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** Uploads a file on the page of a version. */
async function uploadFile(page: Page) {
  const buffer = Buffer.alloc(60_000, 'update')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'update.bin', mimeType: 'application/octet-stream', buffer })
  await page.getByText('update.bin').waitFor()
}

/** Fills in a rule for a group: one machine, then all; at any time, without a health check, no failure allowed. */
async function aRule(page: Page, name: string, version: [field: string, option: RegExp]) {
  await fill(page, /^Name/, name)
  await choose(page, version[0], version[1])
  await choose(page, /^Groups/, 'Lobby machines')
  await page.getByRole('switch', { name: 'At any time' }).click()
  for (let extra = 3; extra > 1; extra--) await page.getByRole('button', { name: `Remove cohort ${extra}` }).click()
  await fill(page, /^Health check after/, '0')
  await fill(page, /^Failures allowed/, '0')
  await save(page)
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** Presses a button of the rollout and confirms. */
async function decide(page: Page, button: string | RegExp, note?: string) {
  await page.getByRole('region', { name: 'Status' }).getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog')
  if (note) await dialog.getByRole('textbox', { name: 'Reason' }).fill(note)
  await dialog.getByRole('button', { name: button }).click()
  await dialog.waitFor({ state: 'detached' })
}
const stateOf = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Status' }).getByText(text).first().waitFor()

test('a firmware reaches its machines by a rollout that halts, is examined, resumed and ends', async () => {
  const { database } = portal
  const { id: merchantId } = await aMerchant(database)
  const groupId = await aGroup(database, merchantId, 'Lobby machines')
  const machines: TestMachine[] = []
  for (const name of ['North', 'South', 'West'])
    machines.push(await aMachine(database, merchantId, { groupId, name, deviceType: 'AZVT' }))
  const fleet = aFleet(machines)
  const provider = await aUserWithPassword(database, 'superAdmin', [])
  const admin = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])

  const office = await signedIn(portal, provider, '/admin/firmwares/create')
  await fill(office, /^Version/, '9.1.0.1')
  await choose(office, /^Device types/, 'Vitro')
  await save(office)
  await office.getByRole('heading', { level: 1, name: /9\.1\.0\.1/ }).waitFor()
  await uploadFile(office)

  const page = await signedIn(portal, admin, '/devices/firmware-rules/create')
  await aRule(page, 'Lobby update', ['Firmware', /9\.1\.0\.1/])
  await stateOf(page, 'Not started')
  const online = () => [...fleet.machines.values()].every((machine) => machine.isConnected())
  await vi.waitFor(() => expect(online()).toBe(true), { timeout: 20_000 })
  // The machine that starts last breaks.
  const [last] = await database.admin<{ serial: string }>(
    `select m.serial from rollout_machines rm join machines m on m.id = rm.machine_id
     where rm.merchant_id = $1 order by rm.position desc limit 1`,
    [merchantId],
  )
  fleet.breakUpdates(last?.serial ?? '', 'noSpace')

  await decide(page, 'Start rollout')
  await stateOf(page, 'Halted')
  await stateOf(page, 'Failed machines: 1 of 3 (limit 0).')
  const failed = page.locator('main [data-row]').filter({ hasText: 'Failed' })
  await failed.getByText(/The machine reported an error/).waitFor()
  await takePicture(page, 'updates/rollout-halted', { fullPage: true })
  await decide(page, 'Resume', 'Memory card replaced')
  await stateOf(page, 'Complete')
  await page.getByText('Memory card replaced').waitFor()
  fleet.breakUpdates(last?.serial ?? '', null)
  await decide(page, 'Retry 1 failed')
  await stateOf(page, /[Cc]onfirmed.*: 3 of 3/)
  await stateOf(page, 'Complete')
  const versions = await database.admin<{ version: string }>(
    `select version from machine_versions where merchant_id = $1 and kind = 'firmware'`,
    [merchantId],
  )
  expect(versions.map(({ version }) => version)).toEqual(['9.1.0.1', '9.1.0.1', '9.1.0.1'])
  await decide(page, 'End rollout')
  await stateOf(page, 'Ended')

  // A cash database takes the same screens and the same worker.
  if (!isFullRun) return
  await page.goto('/manage/cash-database/create')
  await fill(page, /^Name/, 'Coins')
  await fill(page, /^Version/, '2026.1')
  await choose(page, /^Currency/, 'EUR')
  await choose(page, /^Device types/, 'Vitro')
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'Coins' }).waitFor()
  await uploadFile(page)
  await page.goto('/manage/cash-database-rules/create')
  await aRule(page, 'New coins', ['Cash database', /2026\.1/])
  await decide(page, 'Start rollout')
  await stateOf(page, /[Cc]onfirmed.*: 3 of 3/)
}, 150_000)
