import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* The tabs of a machine for signal, temperature, configurations and KPIs, with the demo's history. */

const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')

let product: TestProduct
let machine: { id: string; serial: string }
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
  // A cooled machine with several configurations; notes mark calls with special answers.
  const [found] = await product.database.admin<{ id: string; serial: string }>(
    `select m.id, m.serial from machines m
     where m.merchant_id = $1 and m.temperature_celsius is not null
       and (select count(*) from configurations c where c.machine_id = m.id) > 1
     order by exists (select from notes n where n.machine_id = m.id),
       (select count(*) from configurations c where c.machine_id = m.id) desc, m.serial limit 1`,
    [aurora.id],
  )
  if (!found) throw new Error('The demo has no such machine')
  machine = found
  await product.database.admin('delete from custom_configurations where machine_id = $1', [machine.id])
}, 240_000)
afterAll(() => product?.stop(), 120_000)

const opened = (tab: string, search = '') =>
  signedIn(product, 'superAdmin', `/devices/${machine.id}/${tab}?merchant=${aurora.id}${search}`)

test('eight tabs lead to all pages of a machine, each at its own address', async () => {
  const page = await opened('')
  const tabs = page.getByRole('navigation', { name: 'Sections of this page' }).getByRole('link')
  await tabs.first().waitFor()
  const names = (await tabs.allInnerTexts()).map((text) => text.replace(/\d+$/, '').trim())
  expect(names).toEqual([
    'Overview',
    'Sales',
    'Alarms',
    'Audits & cash',
    'Stock & prices',
    'Commands',
    'Configuration',
    'More',
  ])
  const visited: string[] = []
  for (const name of names) {
    await tabs.filter({ hasText: name }).click()
    const second = page.getByRole('navigation', { name, exact: true }).getByRole('link')
    await tabs.and(page.locator('[aria-current]')).filter({ hasText: name }).waitFor()
    // The second row comes with the group's first page.
    if (['Sales', 'Audits & cash', 'Stock & prices', 'Configuration', 'More'].includes(name))
      await second.first().waitFor()
    const count = await second.count()
    for (let at = 0; at < Math.max(1, count); at += 1) {
      if (count > 0) {
        await second.nth(at).click()
        await second.nth(at).and(page.locator('[aria-current="page"]')).waitFor()
      }
      visited.push(new URL(page.url()).pathname.replace(`/devices/${machine.id}`, ''))
    }
  }
  expect(visited).toEqual([
    '',
    '/transactions',
    '/kpis',
    '/pos-alarms',
    '/audits',
    '/audits/days',
    '/cash',
    '/stock',
    '/stock/movements',
    '/prices',
    '/prices/history',
    '/remote-commands',
    '/configs',
    '/custom-config',
    '/details',
    '/notes',
    '/signal',
    '/temperature',
    '/pos-sensordirtyness',
  ])
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints.filter((complaint) => !complaint.includes('503'))).toEqual([])
}, 120_000)

test('signal is a curve with the merchant’s minimum, shown closer by zooming, and a table for screen readers', async () => {
  const page = await opened('signal')
  const chart = page.getByRole('img', { name: /Signal over time, .* lowest \d+%, highest \d+%, average \d+%/ })
  await chart.waitFor()
  await chart.locator('svg').getByText('Minimum 45%').waitFor()
  await page.getByText('Each point covers 30 minutes').waitFor()
  await page.getByText('Europe/Rome time').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  for (let times = 0; times < 3; times++) await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByText(/Each point covers [1-5] minutes?:/).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  const rows = page.getByRole('region', { name: 'Signal over time' }).getByRole('row')
  await expect.poll(() => rows.count()).toBeGreaterThan(20)
  await page.getByRole('button', { name: 'Full period' }).click()
  await page.getByText('Each point covers 30 minutes').waitFor()
  expect(page.complaints).toEqual([])
}, 120_000)

test('temperature is drawn with its limits, for a day or for months', async () => {
  const page = await opened('temperature', '&span=month')
  await page.getByRole('img', { name: /Temperature over time/ }).waitFor()
  await page.getByRole('img').locator('svg').getByText('Maximum 14,0°C').waitFor()
  await page.getByText('24 hours').click()
  await page.getByText('Each point covers 5 minutes').waitFor()
  // A curve of many points, even though the machine measures less often than every five minutes.
  const longest = () =>
    page
      .locator('main [role=img] svg path')
      .evaluateAll((paths) => Math.max(...paths.map((path) => path.getAttribute('d')?.length ?? 0)))
  await expect.poll(longest).toBeGreaterThan(500)
  expect(new URL(page.url()).searchParams.get('span')).toBe('day')
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
}, 120_000)

test('any two configurations are compared, and added, removed and changed parameters are labelled', async () => {
  const page = await opened('configs')
  const rows = page.locator('main [data-row]')
  await rows.first().waitFor()
  expect(await rows.count()).toBeGreaterThan(1)
  await page.getByText('No older configurations').waitFor()
  await rows.first().press('Enter')
  const table = page.getByRole('table', { name: 'Differences' })
  await table.getByText('Changed', { exact: true }).first().waitFor()
  const against = page.getByLabel('Compare with')
  const oldest = await against.locator('option').last().getAttribute('value')
  await against.selectOption(oldest)
  await table.getByRole('rowheader', { name: 'display.brightness' }).waitFor()
  await expect.poll(() => table.locator('del').filter({ hasText: '80' }).count()).toBe(1)
  expect(new URL(page.url()).searchParams.get('against')).toBe(oldest)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByLabel('Show equal parameters').check()
  await table.getByText('Equal', { exact: true }).first().waitFor()
  await page.getByLabel('Search parameters').fill('brightness')
  await expect.poll(() => table.getByRole('rowheader', { name: /\./ }).count()).toBe(1)
  await against.selectOption({ label: 'Nothing' })
  await page.getByRole('heading', { level: 2, name: 'Parameters' }).waitFor()
  expect(page.complaints).toEqual([])
}, 120_000)

test('a configuration to compare with is named by its date even if it is not offered, and as deleted if the server has none', async () => {
  const page = await opened('configs')
  // Answers one configuration per request, and a total as if each had brought 200.
  await page.route(/\/configs\?size=200&page=\d+$/, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('size=200', 'size=1') })
    const { total, ...rest } = await response.json()
    await route.fulfill({ response, json: { ...rest, total: total * 200 } })
  })
  await page.locator('main [data-row]').first().press('Enter')
  const against = page.getByLabel('Compare with')
  const chosen = against.locator('option:checked')
  await expect.poll(() => chosen.innerText()).toMatch(/\d:\d/)
  expect(await against.locator('option').count()).toBe(2)
  await page.getByRole('table', { name: 'Differences' }).waitFor()
  // The demo has at least three.
  const before = await chosen.getAttribute('value')
  const older = page.getByRole('button', { name: /^Load older/ })
  await older.click()
  await older.click()
  await expect.poll(() => against.locator('option').count()).toBe(3)
  const oldest = against.locator('option').last()
  expect(await oldest.getAttribute('value')).not.toBe(before)
  expect(await oldest.innerText()).toMatch(/\d:\d/)
  expect(await chosen.getAttribute('value')).toBe(before)
  expect(await accessibilityFaults(page)).toEqual([])

  const address = new URL(page.url())
  address.searchParams.set('against', randomUUID())
  await page.goto(address.href)
  await expect.poll(() => chosen.innerText()).toBe('Expired configuration')
  await page.getByText('Configuration not found. Its retention may have expired.').waitFor()
}, 120_000)

test('a configuration whose retention has expired says so', async () => {
  const page = await opened(`configs/${randomUUID()}`)
  await page.getByText('Configuration not found. Its retention may have expired.').waitFor()
}, 120_000)

test('KPIs and movements cover the chosen days', async () => {
  const page = await opened('kpis')
  await page.getByText('MCBF').waitFor()
  await page.getByRole('table', { name: 'Money movements' }).getByRole('rowheader').first().waitFor()
  await page.getByRole('table', { name: 'Rejections by denomination' }).getByText('0,50').waitFor()
  await page.getByText('7 days').click()
  await expect.poll(() => new URL(page.url()).searchParams.get('days')).toBe('7')
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
}, 120_000)

test('a period is chosen for KPIs, temperature and a sensor, whose history has its thresholds; this week is seven days', async () => {
  await product.database.admin('delete from sensor_readings where machine_id = $1', [machine.id])
  await product.database.admin(
    `insert into sensor_readings (merchant_id, machine_id, submodule, name, hour, minimum, maximum, value)
     select $1, $2, 'coinValidator', 'entry', date_trunc('hour', now()) - make_interval(hours => back), 70 - back, 70 - back, 70 - back
     from generate_series(1, 60) as back`,
    [aurora.id, machine.id],
  )
  const page = await opened('kpis')
  const periodPanel = page.getByRole('dialog', { name: 'Period' })
  const choose = async (preset: string) => {
    await page.getByRole('button', { name: /^(Choose days|Period)/ }).click()
    await periodPanel.getByRole('button', { name: preset }).click()
    await page.getByRole('button', { name: `Period ${preset}` }).waitFor()
  }
  await page.getByRole('button', { name: 'Choose days' }).click()
  await periodPanel.getByText('2 to 365 days').waitFor()
  expect(await periodPanel.getByRole('button', { name: 'Yesterday' }).isDisabled()).toBe(true)
  expect(await accessibilityFaults(page)).toEqual([])
  await periodPanel.getByRole('button', { name: 'Previous week' }).click()
  await page.getByRole('button', { name: 'Period Previous week' }).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  const days = page.getByRole('group', { name: 'Vends and downtime by day' }).getByRole('row')
  await expect.poll(() => days.count()).toBe(1 + 7)

  await page.goto(`/devices/${machine.id}/temperature?merchant=${aurora.id}`)
  await choose('Today')
  await page.getByText('Each point covers 5 minutes').waitFor()
  expect(new URL(page.url()).searchParams.get('period')).toBe('today')

  await page.goto(`/devices/${machine.id}/pos-sensordirtyness?merchant=${aurora.id}`)
  await page.locator('main [data-row]').filter({ hasText: 'Entry' }).click()
  const drawer = page.getByRole('dialog', { name: 'Coin validator, Entry' })
  const chart = drawer.getByRole('img', { name: /Value over time, .* highest 69,/ })
  await chart.locator('svg').getByText('Warning 60').waitFor()
  await chart.locator('svg').getByText('Critical 85').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await choose('This month')
  await drawer.getByRole('img', { name: /Value over time/ }).waitFor()

  await page.goto(`/transactions/stats?merchant=${aurora.id}&period=thisWeek`)
  await page.locator('[data-chart]').first().getByRole('button', { name: 'Show as table' }).click()
  await expect.poll(() => page.locator('[data-chart]').first().getByRole('row').count()).toBe(1 + 7)
  expect(page.complaints).toEqual([])
}, 120_000)

test('stock lists empty selections first, and follows the machine’s next report', async () => {
  const [own] = await product.database.admin<{ merchant_id: string; selection: string }>(
    'select merchant_id, selection from machine_stock where machine_id = $1 order by length(selection), selection limit 1',
    [machine.id],
  )
  if (!own) throw new Error('The machine has no stock')
  await product.database.admin(`update machine_stock set level = 0 where machine_id = $1 and selection = $2`, [
    machine.id,
    own.selection,
  ])
  const page = await opened('stock')
  const first = page.locator('main [data-row]').first()
  await first.getByText('Sold out', { exact: true }).first().waitFor()
  await first.getByText(own.selection, { exact: true }).waitFor()
  await first.getByRole('meter', { name: `Level of selection ${own.selection}` }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('columnheader', { name: 'Selection' }).getByRole('button').click()
  await expect.poll(() => new URL(page.url()).searchParams.get('ord')).toBe('selection')
  await page.goto(`/devices/${machine.id}/prices?merchant=${aurora?.id}`)
  await page.getByRole('columnheader', { name: 'Cash 1' }).waitFor()
  await page.locator('main [data-row]').first().getByText('€').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
}, 120_000)

test('a machine without stock and price reports says what it must send', async () => {
  const kept = await product.database.admin('select * from machine_stock where machine_id = $1', [machine.id])
  for (const table of ['machine_stock', 'machine_prices'])
    await product.database.admin(
      `with gone as (delete from ${table} where machine_id = $1 returning *) select count(*) from gone`,
      [machine.id],
    )
  expect(kept.length).toBeGreaterThan(3)
  const page = await opened('stock')
  await page.getByText('No stock reported').waitFor()
  await page.goto(`/devices/${machine.id}/prices?merchant=${aurora?.id}`)
  await page.getByText('No prices yet').waitFor()
  await page.goto(`/devices/${machine.id}/details?merchant=${aurora?.id}`)
  await page.getByRole('link', { name: 'No stock reported' }).click()
  await page.getByText(/with the level of each selection|wait for the machine’s first stock report/).waitFor()
  expect(page.complaints).toEqual([])
}, 120_000)

test('details show all known facts of the machine', async () => {
  const page = await opened('details')
  for (const name of ['Board manufacturer', 'Ethernet model', 'Ethernet version', 'Temperature', 'Configuration'])
    await page.locator('dt').getByText(name, { exact: true }).waitFor()
  expect(page.complaints).toEqual([])
}, 120_000)

test('a target configuration is saved, sent, and in sync once the machine reports it', async () => {
  const page = await opened('custom-config')
  await page.getByText('No changes pending').waitFor()
  await page.getByRole('button', { name: 'Add parameter' }).click()
  await page.locator('input[aria-label="Name of parameter 1"]').fill('display brightness')
  await page.getByLabel('Value of').fill('35')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await page.locator('input[aria-label="Name of parameter 1"]').fill('display.brightness')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved, but not sent yet.').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Send to machine' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send to machine' }).click()
  await page.getByText('Sent. The machine has not answered yet.').waitFor()
  await product.startFleet()
  await page.getByText('The machine has confirmed all target parameters.').waitFor()
  const [row] = await product.database.admin(
    `select parameters ->> 'display.brightness' as brightness from configurations where machine_id = $1 order by read_at desc limit 1`,
    [machine.id],
  )
  expect(row).toEqual({ brightness: '35' })
}, 180_000)
