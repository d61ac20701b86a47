import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'

/* From a sold-out selection to a closed cash collection: the office plans a round, a technician refills without a connection. */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal({}, ['api', 'gateway'])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

let seq = 0
/** Sends an item of a machine, dated by its own clock in Rome. */
async function send(machine: TestMachine, kind: 'stock' | 'sale' | 'cash', item: object): Promise<void> {
  const at = new Date().toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).replace(' ', 'T')
  const answer = await fetch(`${portal.url}/device/v1/${machine.serial}/${kind}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ id: randomUUID(), at, epoch: 1, items: [{ seq: ++seq, at, ...item }] }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

const story =
  'a sold-out selection is refilled on a round without a connection, and the counted cash box is disputed and closed'

/** The technician's phone in each run, the desk as well in the full run. */
const widths = isFullRun ? [1440, 390] : [390]

test.each(widths)(`${story}, at %i px`, { timeout: 240_000 }, async (width) => {
  const { database } = portal
  const viewport = { width, height: width < 600 ? 844 : 900 }
  const { id: merchantId } = await aMerchant(database, { time_zone: 'Europe/Rome' })
  const inMerchant = [{ merchantId, groups: 'all' as const }]
  const admin = await aUserWithPassword(database, 'merchantAdmin', inMerchant)
  const technician = await aUserWithPassword(database, 'merchantUser', inMerchant)
  const planogramId = await aPlanogram(database, merchantId, { name: 'Cold drinks' })
  for (const [at, name] of ['Water', 'Cola'].entries()) {
    const productId = await aProduct(database, merchantId, { name })
    const places = { selection: String(11 + at), position: at, capacity: 5, warning_level: 1, refill_value: 5 }
    await aPlanogramLine(database, merchantId, planogramId, productId, places)
  }
  const placed = { planogram_id: planogramId, latitude: 44.49, longitude: 11.34, connection: 1 }
  const machine = await aMachine(database, merchantId, { name: 'Station', columns: placed })
  await send(machine, 'stock', {
    levels: [
      { selection: '11', level: 1, capacity: 5, stockType: 2 },
      { selection: '12', level: 5, capacity: 5, stockType: 2 },
    ],
  })
  await send(machine, 'cash', {
    box: 1250,
    boxCapacity: 20_000,
    tubes: [{ value: 10, count: 30 }],
    boxPieces: [
      { value: 50, count: 3 },
      { value: 100, count: 6 },
      { value: 500, count: 1 },
    ],
  })

  // The office: management starts, a sale empties the selection, and the machine is on tomorrow's round.
  const office = await signedIn(portal, admin, `/devices/${machine.id}`, { viewport })
  await office.getByRole('button', { name: 'More actions' }).click()
  await office.getByRole('menuitem', { name: 'Start stock management' }).click()
  await office.getByText('Stock management on').waitFor()
  await send(machine, 'sale', { type: 1, mediaType: 1, priceLine: 11, value: 100 })
  await send(machine, 'cash', {
    box: 1350,
    boxCapacity: 20_000,
    tubes: [{ value: 10, count: 30 }],
    boxPieces: [
      { value: 50, count: 3 },
      { value: 100, count: 7 },
      { value: 500, count: 1 },
    ],
  })
  await office.goto('/devices/rounds/create')
  await office.getByText('1 selection sold out').first().waitFor()
  await office.getByRole('checkbox', { name: 'Station' }).check()
  await office.getByRole('combobox', { name: 'Technician' }).click()
  await office.getByRole('option', { name: technician.name }).click()
  await office.getByRole('button', { name: 'Save round with 1 stop' }).click()
  const roundId = await office
    .waitForURL(/rounds\/[0-9a-f-]{36}/)
    .then(() => /rounds\/([0-9a-f-]+)/.exec(office.url())?.[1])
  const [pickList] = await Promise.all([
    office.waitForEvent('download'),
    office.getByRole('button', { name: /PDF/ }).click(),
  ])
  expect((await readFile((await pickList.path()) as string)).subarray(0, 5).toString()).toBe('%PDF-')

  // The technician: the connection ends at the machine and comes back on the way.
  const phone = await signedIn(portal, technician, `/devices/rounds/${roundId}`, { viewport })
  await phone.getByRole('button', { name: 'Start round' }).click()
  await phone.getByText('Round started').waitFor()
  await phone.getByRole('region', { name: 'Next stop' }).getByRole('link', { name: 'Visit' }).click()
  await phone.getByRole('button', { name: 'Confirm 1 as planned' }).waitFor()
  await phone.context().setOffline(true)
  await phone.getByRole('switch', { name: 'Cash box taken' }).press('Space')
  await phone.getByRole('textbox', { name: 'Bag number' }).fill('BAG-7')
  await phone.getByRole('button', { name: 'Finish visit' }).click()
  // Nothing untouched is stored as loaded unless the technician says so.
  await phone.getByRole('button', { name: 'Finish, 1 not loaded' }).waitFor()
  await phone.getByRole('checkbox', { name: '11 Water: 5 loaded as planned' }).check()
  await phone.getByRole('button', { name: 'Finish, 1 loaded as planned' }).click()
  await phone.getByText('Kept on this phone, not sent yet:').waitFor()
  // The first answer is lost on the way: the visit is sent again, and is still one.
  await phone.context().route('**/visits', async (route) => void (await route.fetch().then(() => route.abort())), {
    times: 1,
  })
  await phone.context().setOffline(false)
  // However long the phone was away: sent when it returns, and five seconds after a lost answer.
  await office.getByText('1 of 1 stop').first().waitFor({ timeout: 20_000 })
  await phone.getByText('Kept on this phone, not sent yet:').waitFor({ state: 'hidden', timeout: 20_000 })

  expect(
    await database.admin('select count(*)::int as visits from visits where machine_id = $1', [machine.id]),
  ).toEqual([{ visits: 1 }])

  await office.goto(`/devices/${machine.id}/stock`)
  await office.locator('main [data-row]').filter({ hasText: 'Water' }).getByText('5 of 5').waitFor()
  await office.goto(`/devices/${machine.id}/cash`)
  await office.getByText('Cash boxes for coins and banknotes').waitFor()

  // The counting room: ten euros instead of 13.50.
  await office.goto('/devices/collections')
  await office.getByRole('textbox', { name: 'Bag number, then Enter' }).fill('BAG-7')
  await office.keyboard.press('Enter')
  await office.getByRole('textbox', { name: /^Pieces of € 1,00/ }).fill('10')
  // Seven coins of one euro were in the box.
  await office
    .getByRole('row', { name: /€ 1,00/ })
    .getByText('+3')
    .waitFor()
  await office.getByRole('button', { name: 'Save count' }).click()
  await office.locator('main').getByRole('button', { name: 'Dispute count' }).click()
  await office.getByRole('textbox', { name: /^Reason/ }).fill('A note of five euros is missing')
  await office.getByRole('dialog').getByRole('button', { name: 'Dispute count' }).click()
  await office.getByText('Collection disputed').waitFor()
  await office.locator('main').getByRole('button', { name: 'Close collection' }).click()
  await office.getByRole('textbox', { name: /^Note/ }).fill('The technician paid the difference')
  await office.getByRole('dialog').getByRole('button', { name: 'Close collection' }).click()
  await office.getByText('Collection closed').waitFor()
  expect(
    await database.admin(
      'select status, counted_total::int as counted, bag_number as bag from collections where machine_id = $1',
      [machine.id],
    ),
  ).toEqual([{ status: 'closed', counted: 1000, bag: 'BAG-7' }])

  // A second visit is kept while the machine is deleted: the server refuses it, and the technician discards it.
  await phone.goto(`/devices/${machine.id}/visit`)
  await phone.getByRole('textbox', { name: 'Note and picture' }).fill('Forgot the keys')
  await phone.context().setOffline(true)
  await phone.getByRole('button', { name: 'Finish visit' }).click()
  await phone.getByText('No connection. The visit to Station is kept').waitFor()
  await database.admin('update machines set deleted_at = now(), hidden = true where id = $1', [machine.id])
  await phone.context().setOffline(false)
  // The machine's page, which the phone has not kept, loads meanwhile and may interrupt.
  const open = () => phone.goto(`/devices/rounds/${roundId}`).then(Boolean, () => false)
  await expect.poll(open).toBe(true)
  await phone.getByText('The visit to Station was refused.').waitFor()
  await phone.getByRole('button', { name: 'Discard' }).click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Discard visit' }).click()
  await phone.getByText('The visit to Station was refused.').waitFor({ state: 'hidden' })
  expect(office.complaints).toEqual([])
})
