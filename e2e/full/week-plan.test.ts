import { expect, test } from 'vitest'
import { addDays, dayIn, isoWeekdayOf } from '#domain/time/period.ts'
import { faultsInBothSchemes, settled, sizes } from '#testkit/browser/looks.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aPrice, aStock } from '#testkit/machines/machine-data.ts'

test('the week is proposed with its reasons, a stop is taken out, and the rounds are created once', async () => {
  const portal = await aPortal()
  const { id: merchantId } = await aMerchant(portal.database)
  const firstDay = addDays(dayIn(new Date(), 'Europe/Rome'), 1)
  /** Sells a piece a day, and is empty on a day of the plan. */
  const aSellingMachine = async (name: string, emptyOn: number, latitude = 45) => {
    const columns = { latitude, longitude: 9, manage_stock: true }
    const machine = await aMachine(portal.database, merchantId, { name, columns })
    await aStock(portal.database, machine, {
      selection: '11',
      level: emptyOn + 1,
      capacity: 20,
      usual: Array(7).fill(1),
      forecast: [0, ...Array(27).fill(1)],
      forecast_from: addDays(firstDay, -1),
    })
    await aPrice(portal.database, machine, { selection: '11', price: 100 })
    return machine
  }
  const station = await aSellingMachine('Station', 1)
  const office = await aSellingMachine('Office', 1)
  await aSellingMachine('Far away', 1, 52)
  const routeId = crypto.randomUUID()
  await portal.database.admin(
    `insert into routes (merchant_id, id, name, days, created_at) values ($1, $2, 'North', $3, now())`,
    [merchantId, routeId, [isoWeekdayOf(addDays(firstDay, 1)) + 1]],
  )
  for (const [at, { id }] of [station, office].entries())
    await portal.database.admin(
      `insert into route_stops (merchant_id, route_id, machine_id, position) values ($1, $2, $3, $4)`,
      [merchantId, routeId, id, at + 1],
    )

  const admin = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, '/devices/rounds')
  await page.getByRole('button', { name: 'Plan of the week' }).click()
  await page.getByRole('heading', { level: 1, name: 'Plan of the week' }).waitFor()
  const round = page.getByRole('region', { name: 'North' })
  await round
    .getByText(/^Empty by/)
    .first()
    .waitFor()
  await page.getByRole('region', { name: 'Left out' }).or(page.getByText('Left out')).first().waitFor()
  await settled(page)
  expect(await faultsInBothSchemes(page, 'week-plan/proposal')).toEqual([])
  await page.setViewportSize(sizes.phone)
  await settled(page)
  expect(await faultsInBothSchemes(page, 'week-plan/phone')).toEqual([])

  await round.getByRole('checkbox', { name: 'Visit Office' }).uncheck()
  await round.getByText('1 stop ·').waitFor()
  await page.getByRole('button', { name: 'Create 1 round' }).click()
  await page.getByText('1 round created').waitFor()
  await page.getByRole('link', { name: /North/ }).click()
  await page.getByRole('heading', { level: 1, name: 'North' }).waitFor()
  await page.getByText('Station').first().waitFor()
  expect(await page.getByText('Office').count()).toBe(0)
  expect(page.complaints).toEqual([])
})
