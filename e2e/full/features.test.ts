import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn, settled, sizes, takePicture } from '#testkit/browser/looks.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { anAlarm, aSale, aStock } from '#testkit/machines/machine-data.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

/** Addresses of older views or bookmarks, with filters and sort orders of features. */
const screens = (posId: string) => ({
  dashboard: '/dashboard',
  machines: '/devices/list?map=on&soldOut=true&ord=signalPercent&ordType=DESC',
  machine: `/devices/${posId}`,
  details: `/devices/${posId}/details`,
  transactions: '/transactions/data?chart=bar&measure=signalPercent',
  statistics: '/transactions/stats',
  alarms: '/alarms?chart=bar&measure=mcbf',
  settings: '/manage/merchant-settings',
  alarmSetting: '/manage/merchant-alarms-settings/ENE',
})

test('no screen of a merchant without any feature fails, and none shows parts of a feature', async () => {
  const { database } = product
  const { id } = await aMerchant(database, { features: [], productFamilies: [] })
  const machine = await aMachine(database, id, { name: 'Plain one', columns: { connection: 1, signal_percent: 71 } })
  await aSale(database, machine, { product: 'Ristretto' })
  await aStock(database, machine, { level: 0 })
  const alarmId = await anAlarm(database, machine, { mcbf: 4711 })
  const person = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  const page = await signedIn(product, person, `/dashboard?merchant=${id}`, { viewport: sizes.desktop })
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
  })
  for (const [name, path] of Object.entries(screens(machine.id))) {
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}merchant=${id}`)
    await settled(page)
    await drawn(page)
    await takePicture(page, `features-off-${name}`)
    const text = await page.locator('main').innerText()
    expect(text, name).not.toMatch(/71%|Ristretto|4711|MCBF|Minimum signal|Sold out|Escalat/i)
    if (name === 'machines') expect(text).toContain('Plain one')
    if (name === 'settings') {
      await page.getByRole('textbox', { name: 'Audit overdue after' }).fill('60')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Settings saved.').waitFor()
    }
    if (name === 'alarmSetting') {
      await page.getByRole('textbox', { name: 'Reminder every' }).fill('12')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(/saved/i).waitFor()
    }
  }
  await page.goto(`/devices/${machine.id}/prices?merchant=${id}`)
  await page.getByText('This feature is turned off for this merchant.').waitFor()
  await page.goto(`/alarms?merchant=${id}&alarm=${machine.id}.${alarmId}`)
  await page.getByRole('dialog').waitFor()
  await settled(page)
  await takePicture(page, 'features-off-alarm')
  expect(refused).toEqual([])
  expect(page.complaints).toEqual([])
}, 120_000)
