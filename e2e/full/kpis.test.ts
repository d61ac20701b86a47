import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { faultsSeen, settled } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
const dayAgo = (days: number) => ago(days).toISOString().slice(0, 10)

test('KPIs of 45 days lead from a validator to its machines, and to a machine’s own KPIs of the same days', {
  timeout: 60_000,
}, async () => {
  const { database } = portal
  await database.admin('select ensure_partitions($1, $2)', [ago(60), ago(0)])
  const { id: merchantId } = await aMerchant(database)
  for (const [name, accepted, rejected] of [
    ['Worn', 60, 40],
    ['Fine', 99, 1],
  ] as const) {
    const machine = await aMachine(database, merchantId, { name })
    const { id } = machine
    await aSale(database, machine, { created_at: ago(40) })
    await database.admin('update machines set created_at = $2 where id = $1', [id, ago(60)])
    await database.admin(
      `insert into machine_versions (merchant_id, machine_id, kind, peripheral, version, since, reported_at)
       values ($1, $2, 'peripheralFirmware', 'coinChanger', $3, now(), now())`,
      [merchantId, id, `for ${name}`],
    )
    await database.admin(
      `insert into cash_hourly (merchant_id, hour, machine_id, denomination, accepted, rejected)
       values ($1, date_trunc('hour', $2::timestamptz), $3, 100, $4, $5)`,
      [merchantId, ago(40), id, accepted, rejected],
    )
  }
  await sumUpDays(database, new Date())
  const admin = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])

  const days = `startDate=${dayAgo(46)}&endDate=${dayAgo(2)}`
  const page = await signedIn(portal, admin, `/distributor-kpis?${days}`, { viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(15_000)
  const worn = page.getByRole('row', { name: /Coin validator · for Worn/ })
  expect(await worn.innerText()).toMatch(/40\s[\s\S]*40,0%/)
  await settled(page)
  expect(await faultsSeen(page, 'kpis', { fullPage: true })).toEqual([])
  await worn.getByRole('link').click()
  await page.getByRole('link', { name: 'Worn', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Fine', exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: 'Worn', exact: true }).click()
  await page.waitForURL(({ pathname, search }) => pathname.endsWith('/kpis') && search.includes(dayAgo(46)))
  await page.getByText('40,0%').first().waitFor()
})
