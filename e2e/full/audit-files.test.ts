import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { writeAudit } from '#domain/audits/eva-dts/write-audit.ts'
import { startAgentProcess } from '#testkit/agent/agent-process.ts'
import { aScopedToken } from '#testkit/api-tokens.ts'
import { aPage } from '#testkit/browser/browser.ts'
import { faultsOnTheWay, sizes } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'

/* What docs/moving-in.md says of audits of another telemetry: in the portal, and from a folder. */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
}, 300_000)
afterAll(() => portal?.stop(), 60_000)

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)
const aFile = (serial: string, vends: number) =>
  Buffer.from(
    writeAudit({
      serial,
      model: 'M',
      software: '1',
      boardSerial: 'B1',
      decimals: 2,
      currency: 'EUR',
      time: anHourAgo(),
      selections: [{ selection: '11', name: 'Espresso', price: 150, count: vends, value: vends * 150 }],
      cash: { count: vends, value: vends * 150 },
      cashless: { count: 0, value: 0 },
    }),
  )

async function aFleet() {
  const { id: merchantId } = await aMerchant(portal.database, { time_zone: 'UTC' })
  const [one, other] = [await aMachine(portal.database, merchantId), await aMachine(portal.database, merchantId)]
  const stored = () =>
    portal.database.admin<{ machine_id: string }>('select machine_id from audits where merchant_id = $1', [merchantId])
  return { merchantId, one, other, stored }
}

test('files are previewed, given to their machines and stored, on a desktop and a phone', async () => {
  const { merchantId, one, other, stored } = await aFleet()
  const user = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await aPage({ baseURL: portal.url, viewport: sizes.desktop })
  await signIn(page, user, '/manage/audit-files')
  const files = [
    { name: 'lobby.dex', buffer: aFile(one.serial, 10) },
    {
      name: 'canteen.dex',
      buffer: Buffer.from(aFile('ASSET-77', 20).toString('latin1').replace('VA1*', 'XX9*7\r\nVA1*'), 'latin1'),
    },
    { name: 'sales.txt', buffer: Buffer.from('Machine,Date,Product,Amount\nA,2026-11-21,Espresso,1.20\n') },
  ].map((file) => ({ ...file, mimeType: 'text/plain' }))
  await page.locator('input[type=file]').setInputFiles(files)
  await page.getByRole('button', { name: 'Store 1 audit' }).waitFor()
  await page.getByText('A table, not an audit').waitFor()
  expect(await stored()).toEqual([])
  const machine = page.getByRole('combobox', { name: 'Machine of canteen.dex' })
  await machine.fill(other.serial)
  await page.getByRole('option', { name: other.serial }).click()
  await page.getByRole('button', { name: 'Store 2 audits' }).waitFor()
  expect(await faultsOnTheWay(page, 'audit-files')).toEqual([])
  await page.getByRole('button', { name: 'Store 2 audits' }).click()
  await page.getByText('2 audits stored').waitFor()
  expect((await stored()).map(({ machine_id }) => machine_id).toSorted()).toEqual([one.id, other.id].toSorted())
}, 180_000)

test('a folder of uploads is sent with a token, and each file moved by its outcome', async () => {
  const { merchantId, one, stored } = await aFleet()
  const { token } = await aScopedToken(portal.database, merchantId, ['audits.write'])
  const folder = mkdtempSync(join(tmpdir(), 'gettone-inbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'token'), token)
  writeFileSync(join(folder, 'a.dex'), aFile(one.serial, 10))
  writeFileSync(join(folder, 'b.dex'), aFile('ASSET-88', 10))
  const place = [
    '--folder',
    folder,
    '--portal',
    portal.url,
    '--merchant',
    merchantId,
    '--token-file',
    join(folder, 'token'),
  ]
  const preview = startAgentProcess('inbox', ...place, '--preview')
  expect(await preview.ended, preview.said()).toBe(0)
  expect(preview.said()).toContain(`a.dex · new · machine ${one.serial} · 10 vends`)
  expect(await stored()).toEqual([])
  const inbox = startAgentProcess('inbox', ...place)
  const names = (of: string) => readdirSync(join(folder, of)).filter((name) => name.endsWith('.dex')).length
  await vi.waitFor(() => expect([names('sent'), names('unclear')], inbox.said()).toEqual([1, 1]), {
    timeout: 90_000,
    interval: 500,
  })
  expect(await stored()).toEqual([{ machine_id: one.id }])
  await inbox.kill('SIGTERM')
}, 180_000)
