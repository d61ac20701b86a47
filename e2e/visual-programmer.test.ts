import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalJson, type JsonObject } from '#contract/configurations/vp-document.ts'
import { vpHash } from '#database/configurations/vp-report.ts'
import { withVpValue } from '#domain/configurations/vp-document.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'

/* A configuration with a mistake is refused at its field, corrected, and sent to two machines: one is in sync, the other is edited on the
   device. The file comes back without a difference. */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal({ MQTT_PORT: '0' }, ['api', 'gateway'])
}, 180_000)
afterAll(() => portal?.stop(), 180_000)

interface Received {
  id: string
  parameters: { name: string; schemaVersion: string; sha256: string; document: JsonObject }
}

/** A machine that talks HTTP: it takes its waiting command, applies it, and reports what it works with. */
function byHttp({ serial, secret }: TestMachine) {
  const clock = () => new Date().toLocaleString('sv', { timeZone: 'Europe/Rome' }).replace(' ', 'T')
  let seq = 0
  const send = async (kind: string, body: object) => {
    const answer = await fetch(`${portal.url}/device/v1/${serial}/${kind}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${serial}:${secret}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: randomUUID(), at: clock(), ...body }),
    })
    expect([kind, answer.status]).toEqual([kind, 200])
    return (await answer.json()) as { commands: Received[]; go?: { go: boolean } }
  }
  const item = (kind: string, content: object) =>
    send(kind, { epoch: 1, items: [{ seq: ++seq, at: clock(), ...content }] })
  const reports = (document: JsonObject) =>
    item('vpConfig', { sha256: vpHash(canonicalJson(document)), name: 'Atrium', document })
  return {
    reports,
    async takes(): Promise<JsonObject> {
      const { commands } = await send('hello', { epoch: 1, lastSeq: seq })
      const command = commands[0]
      if (!command) throw new Error('No command waits for the machine')
      const { document, sha256 } = command.parameters
      expect(vpHash(canonicalJson(document))).toBe(sha256)
      expect((await send('claim', { commandId: command.id })).go?.go).toBe(true)
      await item('result', { commandId: command.id, outcome: 'success' })
      await reports(document)
      return document
    },
  }
}

test('a configuration is corrected, sent, confirmed by one machine and edited on another', async () => {
  const merchant = await aMerchant(portal.database)
  const atrium = await aMachine(portal.database, merchant.id, { name: 'Atrium' })
  const gate = await aMachine(portal.database, merchant.id, { name: 'Gate 4' })
  const user = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const page = await signedIn(portal, user, '/devices/vp/configurations/create')
  page.setDefaultTimeout(20_000)
  await page.getByLabel('Name').fill('School autumn')
  await page.getByLabel('Model').selectOption('AZVT')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('School autumn created').waitFor()

  // The search finds the parameter; a value beyond its bounds is refused at its field, and saved as a draft.
  await page.getByRole('searchbox', { name: 'Find a parameter' }).fill('coffee temp')
  await page.getByRole('button', { name: /^Coffee temperature/ }).click()
  const temperature = page.getByLabel('Coffee temperature')
  await temperature.fill('120')
  await page.getByText(/Maximum 98|at most 98/i).waitFor()
  await page.getByRole('button', { name: 'Fix Coffee temperature to send this configuration' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('School autumn saved').first().waitFor()
  const tab = (name: string) => page.getByRole('link', { name, exact: true }).filter({ visible: true }).first().click()
  await tab('Send')
  await page.getByText('Fix 1 value before you send this configuration.').waitFor()

  // Corrected, and sent to both machines.
  await tab('Details')
  await page.getByRole('button', { name: 'Fix Coffee temperature to send this configuration' }).click()
  await temperature.fill('94')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('School autumn saved').first().waitFor()
  await tab('Send')
  for (const name of ['Atrium', 'Gate 4'])
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send to 2 machines' }).click()
  await page.getByText('Sent to 2 machines').waitFor()

  // Both apply it; a technician changes one of them.
  const first = byHttp(atrium)
  const second = byHttp(gate)
  await first.takes()
  const document = await second.takes()
  await second.reports(withVpValue(document, 'boilers.coffeeTemperature', 91))
  await page.goto(page.url().replace(/\/send.*/, '/pos'))
  await page.getByRole('row').filter({ hasText: 'Atrium' }).getByText('In sync').waitFor()
  await page.getByRole('row').filter({ hasText: 'Gate 4' }).getByText('Edited on the device').waitFor()
  await page.getByRole('row').filter({ hasText: 'Gate 4' }).getByRole('link').first().click()
  const difference = page.getByRole('complementary', { name: 'Differences' })
  await difference.getByText('91 °C').waitFor()
  await difference.getByText('94 °C').waitFor()

  // The downloaded file has no difference when it is uploaded again.
  await tab('File')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const path = await (await saving).path()
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 'gettone-vp', deviceType: 'AZVT', document })
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: await readFile(path) })
  await page.getByText('The file has no differences').waitFor()
  expect(page.complaints).toEqual([])
}, 90_000)
