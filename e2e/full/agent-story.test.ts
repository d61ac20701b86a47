import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { remoteCommandResults, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { createPins } from '#server/gateway/pins.ts'
import { startAgentProcess } from '#testkit/agent/agent-process.ts'
import { hasPortPairs, openPortPair } from '#testkit/agent/port-pair.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aPage } from '#testkit/browser/browser.ts'
import { aFreePort, openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signIn } from '#testkit/browser/sign-in.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

/* What docs/agent.md describes: a machine, the agent beside it, the portal, and the first audit. */

let portal: Awaited<ReturnType<typeof openPortal>>
let api: TestApi
beforeAll(async () => {
  portal = await openPortal({ MQTT_PORT: String(await aFreePort()) }, ['api', 'gateway'])
  api = await openTestApi({}, portal.database)
}, 300_000)
afterAll(async () => {
  await api?.close()
  await portal?.stop()
}, 60_000)

const until = { timeout: 60_000, interval: 200 }

/** An emulated machine on a port, and the folder of an agent at the other end. */
async function aPlace(...machine: string[]) {
  const ports = await openPortPair()
  onTestFinished(ports.close)
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  startAgentProcess('emulate', '--port', ports.machine, '--serial', 'EMU0000001', ...machine)
  const { id: merchantId } = await aMerchant(portal.database)
  const pin = await createPins(portal.config.secretKey).givePin(portal.database, merchantId)
  const admin = await aUser(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  return { ports, folder, merchantId, pin, as: api.as(admin) }
}

test.skipIf(!hasPortPairs).each([
  ['dex', 'mqtt'],
  ['ddcmp', 'http'],
])('with one command the first audit of a machine is in the portal (%s, %s)', async (protocol, transport) => {
  const { ports, folder, merchantId, pin, as } = await aPlace('--protocol', protocol)
  const serial = `LAB-${protocol}-${Date.now() % 100_000}`.toUpperCase()
  const relay = join(folder, 'relay')
  const setup = startAgentProcess(
    ...['setup', '--portal', portal.url, '--pin', pin, '--serial', serial, '--name', 'Lobby', '--folder', folder],
    ...['--port', ports.carrier, '--protocol', protocol, '--transport', transport],
    ...['--restart', `echo opened >> ${relay}`],
  )
  expect(await setup.ended, setup.said()).toBe(0)
  const agent = startAgentProcess('run', '--folder', folder)

  const posId = await vi.waitFor(async () => {
    const { items } = await as.listMachines({ params: { merchantId }, query: {} })
    expect(items).toHaveLength(1)
    return items[0]?.id ?? ''
  }, until)
  const params = { merchantId, posId }
  const [first] = await vi.waitFor(async () => {
    const { items } = await as.listAudits({ params, query: {} })
    expect(items, agent.said()).toHaveLength(1)
    return items
  }, until)
  expect(first).toMatchObject({ origin: 6, port: protocol, salesTotal: 4800, vendsTotal: 40 })
  const audit = await as.getAudit({ params: { ...params, auditId: first?.id ?? '' } })
  expect(audit.content.crc.verdict).toBe('holds')

  const { readCounters, restart, resetDefaults } = remoteCommandTypes
  for (const type of [readCounters, restart, resetDefaults] as const)
    await as.sendRemoteCommand({ params: { merchantId }, body: { machines: { ids: [posId] }, order: { type } } })
  await vi.waitFor(async () => {
    const { items } = await as.listRemoteCommands({ params: { merchantId }, query: {} })
    const ends = Object.fromEntries(items.map(({ type, result, resultInfo }) => [type, [result, resultInfo]]))
    expect(ends, agent.said()).toEqual({
      [readCounters]: [remoteCommandResults.success, 'VA101=6240 VA102=52 CA201=6240'],
      [restart]: [remoteCommandResults.success, null],
      [resetDefaults]: [remoteCommandResults.unsupported, null],
    })
  }, until)
  expect(readFileSync(relay, 'utf8')).toBe('opened\n')
  // The result of a command and the audit that it reads are different messages.
  await vi.waitFor(async () => {
    const { items } = await as.listAudits({ params, query: {} })
    expect(items, agent.said()).toHaveLength(2)
  }, until)
  await agent.kill('SIGTERM')
})

test.skipIf(!hasPortPairs)(
  'the page leads from a cable to the first audit, and says what the port says',
  async () => {
    const { ports, folder, merchantId } = await aPlace('--protocol', 'dex')
    const person = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
    const page = await aPage({ baseURL: portal.url })
    await signIn(page, person, '/associate?way=agent')
    await page.getByRole('button', { name: 'Propose a serial' }).click()
    const next = page.getByRole('button', { name: 'Next', exact: true })
    await next.click()
    await page.getByLabel('Name').fill('Lobby')
    await next.click()
    // The commands of the page, with this computer's port.
    const shown = await page.locator('pre code').innerText()
    const [setup = ''] = shown.replaceAll(/\\\n/g, ' ').split('\n')
    const words = setup.split(/\s+/).slice(3)
    expect(words).toContain('Lobby')
    const place = ['--port', ports.carrier, '--folder', folder]
    const attempt = startAgentProcess('setup', ...words, '--port', '/dev/ttyUSB99', '--folder', folder)
    expect(await attempt.ended, attempt.said()).toBe(0)
    const first = startAgentProcess('run', '--folder', folder)
    await page.getByText('Lobby is associated').waitFor({ timeout: 60_000 })
    await page.getByText('The machine cannot be read').waitFor({ timeout: 60_000 })
    await page.getByText('The port cannot be opened').waitFor()
    await first.kill('SIGTERM')
    const corrected = startAgentProcess('setup', ...words, ...place)
    expect(await corrected.ended, corrected.said()).toBe(0)
    const agent = startAgentProcess('run', '--folder', folder)
    await page.getByText('The first audit is here').waitFor({ timeout: 120_000 })
    await page.getByText('The machine reports 40 vends').waitFor()
    await page.getByRole('link', { name: 'Open the audit' }).click()
    await page.waitForURL(/\/audits\?.*audit=/)
    await agent.kill('SIGTERM')
  },
  300_000,
)
