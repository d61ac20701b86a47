import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { roleMay } from '#contract/access.ts'
import { AssociationAnswer, upTopic } from '#contract/device-protocol.ts'
import { type Role, roles } from '#contract/vocabulary/roles.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { auditTotals } from '#domain/audits/eva-dts/identities.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { formatMoney } from '#domain/money/money.ts'
import { aPage } from '#testkit/browser/browser.ts'
import { signedIn, signIn } from '#testkit/browser/sign-in.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'
import { requireTool, tools } from '../scripts/tools.ts'

const run = promisify(execFile)

type FreeMachine = { id: string; serial: string; merchantId: string; name: string }

let product: TestProduct
beforeAll(async () => {
  product = await startProduct()
}, 180_000)
afterAll(() => product?.stop(), 60_000)

/**
 * The unit test of the menu covers every role; this flow covers the role with the fewest rights, in the full run all
 * roles.
 */
const shownRoles: readonly Role[] = isFullRun ? roles : ['merchantUser']

describe.each(shownRoles)('%s', (role) => {
  test('signs in, lands on the dashboard, and sees the permitted menu', async () => {
    // As a new user: by one click on the demo's sign-in page.
    const page = await aPage({ baseURL: product.url })
    page.setDefaultTimeout(60_000)
    await signIn(page, role, '/dashboard')
    expect(new URL(page.url()).pathname).toBe('/dashboard')
    const menu = page.getByRole('navigation', { name: 'Menu' })
    for (const entry of ['Dashboard', 'Machines', 'Alarms'])
      await menu.getByRole('link', { name: entry }).first().waitFor()
    await menu.getByRole('button', { name: 'Machines', exact: true }).click()
    const commands = await menu.getByRole('link', { name: 'Remote commands' }).count()
    expect(commands > 0).toBe(roleMay(role, 'remoteCommand.write'))
    await page.getByRole('link', { name: /^Vends \d/ }).waitFor()
    expect(page.complaints).toEqual([])
  })
})

test('a simulated sale appears on the dashboard without a reload', async () => {
  const page = await signedIn(product, 'superAdmin', '/dashboard')
  const vends = async () => {
    const text = await page.getByRole('link', { name: /^Vends \d/ }).innerText()
    return Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''))
  }
  const before = await vends()
  let loads = 0
  page.on('load', () => loads++)
  const { serial, merchantId } = await machineThatAnswers()
  const mediaId = await aMedia(product.database, merchantId, { serial: 'E2EKEY1' })
  await aCredit(product.database, merchantId, mediaId, 10_000)
  expect(await sold(serial, 'E2EKEY1')).toMatchObject({ outcome: 'sold' })
  await expect.poll(vends, { timeout: 60_000, interval: 200 }).toBeGreaterThan(before)
  expect(loads).toBe(0)
})

test('"read audit" sent from a machine’s page ends as received, and its audit is on the machine’s page', async () => {
  const page = await signedIn(product, 'merchantAdmin', '/devices/list?states=selling')
  // The portal's own schedule would have a command of this type pending.
  await product.database.admin('update merchant_settings set scheduled_audit_minutes = 0')
  const answers = await machineThatAnswers()
  await page.goto(`/devices/${answers.id}?merchant=${answers.merchantId}`)
  await page.getByRole('link', { name: 'Audits' }).click()
  const audits = page.getByRole('table').getByRole('row')
  await audits.nth(1).waitFor()
  const before = await countOf(page)

  await page.getByRole('button', { name: 'Send command' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('listitem').getByRole('button', { name: 'Read audit' }).click()
  await sheet.getByRole('button', { name: 'Read audit', exact: true }).click()
  await page.getByText(`Read audit sent to ${answers.name}`).waitFor()
  await page.goto(`/devices/${answers.id}/remote-commands?merchant=${answers.merchantId}`)
  await page.getByText('Executed', { exact: true }).first().waitFor({ timeout: 60_000 })

  await page.goto(`/devices/${answers.id}/audits?merchant=${answers.merchantId}`)
  await audits.nth(1).waitFor()
  await expect.poll(() => countOf(page), { timeout: 30_000 }).toBe(before + 1)
  await expect.poll(() => audits.nth(1).innerText()).toContain('Remote command')
})

describe('a machine is associated with nothing but curl and mosquitto_pub', () => {
  const folder = process.env.EVA_DTS_CORPUS ?? join(import.meta.dirname, '../domain/audits/eva-dts/fixtures')
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.eva'))
    .sort()
    // One file over each transport; the reader's own tests read every file.
    .slice(0, isFullRun ? undefined : 2)
  let machine: AssociationAnswer

  beforeAll(async () => {
    const body = { serial: 'E2E-0001', deviceType: 'AZVT', pin: demoMerchants[0]?.pin, name: 'Attached by hand' }
    const { stdout } = await run('curl', [
      '--silent',
      '--fail-with-body',
      '--header',
      'content-type: application/json',
      '--data',
      JSON.stringify(body),
      `${product.url}/device/v1/associate`,
    ])
    machine = AssociationAnswer.parse(JSON.parse(stdout))
  })

  test('audit files to send exist', () => expect(files.length).toBeGreaterThan(0))

  test.each(files.map((file, index) => [file, index % 2 === 0 ? 'HTTP' : 'MQTT'] as const))(
    '%s, posted over %s, appears on the audits page with its totals',
    async (file, way) => {
      const path = join(folder, file)
      if (way === 'HTTP') await overHttp(path)
      else await overMqtt(path)
      const page = await signedIn(product, 'merchantAdmin', '/devices/list?search=E2E-0001')
      await page.getByRole('link', { name: /Attached by hand/ }).press('Enter')
      await page.getByRole('link', { name: 'Audits' }).click()
      // Not a row that is still loading.
      await page.locator('main [data-row]').first().click()
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('heading').first().waitFor()
      const content = readAudit(readFileSync(path))
      const verdict = {
        holds: 'CRC OK',
        holdsSwapped: 'bytes swapped',
        fails: 'CRC wrong',
        absent: 'No CRC',
      }
      await drawer.getByText(verdict[content.crc.verdict]).first().waitFor()
      const row = page.getByRole('table', { name: 'Audits' }).getByRole('row').nth(1)
      const { currency, salesTotal, selectionsTotal } = auditTotals(content, 'EUR')
      const shown = salesTotal === null || currency === null ? 'Not reported' : formatMoney(salesTotal, currency)
      await expect.poll(() => row.innerText()).toContain(shown)
      const [stored] = await product.database.admin<{ total: string | null }>(
        `select selections_total as total from audits where machine_id = (select id from machines where serial = $1)
         order by saved_at desc limit 1`,
        [machine.serial],
      )
      expect(stored?.total === null ? null : Number(stored?.total)).toBe(selectionsTotal)
    },
  )

  const overHttp = (path: string) =>
    run('curl', [
      '--silent',
      '--fail-with-body',
      '--user',
      `${machine.serial}:${machine.secret}`,
      '--data-binary',
      `@${path}`,
      '--header',
      'content-type: application/octet-stream',
      `${product.url}/device/v1/${machine.serial}/audit`,
    ])
  const overMqtt = (path: string) =>
    run(requireTool(tools.mosquittoPub), [
      '-h',
      '127.0.0.1',
      '-p',
      String(product.mqttPort),
      '-i',
      machine.serial,
      '-u',
      machine.serial,
      '-P',
      machine.secret,
      '-q',
      '1',
      '-t',
      upTopic(machine.serial, 'audit'),
      '-f',
      path,
    ])
})

/** Lets a customer with this key buy something from a simulated machine. */
async function sold(serial: string, mediaSerial: string): Promise<unknown> {
  const { origin, password } = new URL(product.simulatorUrl)
  const answer = await fetch(`${origin}/machines/${serial}/sell`, {
    method: 'POST',
    headers: { authorization: `Bearer ${password}` },
    body: JSON.stringify({ mediaSerial }),
  })
  return answer.json()
}

/**
 * A connected and free simulated machine of the first merchant. Machines with special behaviour have a note about it.
 */
async function machineThatAnswers(): Promise<FreeMachine> {
  const query = `select m.id, m.serial, m.merchant_id as "merchantId", m.name from machines m
     join merchants t on t.id = m.merchant_id where t.name = 'Caffè Aurora' and m.connection = 1 and m.pos_status = 1
     and not exists (select from notes n where n.machine_id = m.id)
     and not exists (select from remote_commands c where c.machine_id = m.id and c.status in (0, 1)) order by m.serial limit 1`
  let [found] = await product.database.admin<FreeMachine>(query)
  for (let tries = 0; !found && tries < 60; tries++) {
    await new Promise((done) => setTimeout(done, 500))
    ;[found] = await product.database.admin<FreeMachine>(query)
  }
  if (!found) throw new Error('No simulated machine is connected')
  return found
}

/** The number of rows that a list in a tab shows. */
async function countOf(page: Page): Promise<number> {
  const text = await page
    .getByText(/^\d+–\d+ of \d+/)
    .first()
    .innerText()
  return Number(/of (\d+)/.exec(text)?.[1])
}
