import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, isoWeekdayOf } from '#domain/time/period.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale, aStock } from '#testkit/machines/machine-data.ts'
import { manageStock } from '../manage.ts'
import { refreshDueSupplies } from '../supply.ts'
import { courseReader, dayNumber } from './course.ts'
import { computeForecasts } from './forecast.ts'

let database: TestDatabase
let machine: TestMachine
/** A Wednesday; the next one is no holiday. */
const today = '2026-11-18'
const now = new Date(`${today}T10:00:00Z`)
beforeAll(async () => {
  database = await openTestDatabase()
  await database.admin(`select ensure_partitions('2026-10-01', '2026-12-31')`)
})
afterAll(() => database.close())
beforeEach(async () => {
  const { id } = await aMerchant(database)
  machine = await aMachine(database, id)
  for (const selection of ['11', '12'])
    await aStock(database, machine, { selection, level: 90, capacity: 100, at: at(40) })
})

const at = (daysAgo: number, time = '12:00') => new Date(`${addDays(today, -daysAgo)}T${time}:00Z`)
const sell = async (priceLine: number, daysAgo: number, pieces: number) => {
  for (let n = 0; n < pieces; n++)
    await aSale(database, machine, { created_at: at(daysAgo), price_line: priceLine, product: `Product ${priceLine}` })
}
const manage = (moment = now) =>
  database.withTenant(wholeMerchant(machine.merchantId), (db) =>
    manageStock(db, [{ merchantId: machine.merchantId, machineId: machine.id }], true, moment),
  )
const compute = (moment: Date) =>
  database.withTenant(wholeMerchant(machine.merchantId), (db) => computeForecasts(db, [machine.id], moment))
/** What is stored of a selection on a day. */
async function storedOn(selection: string, day: string) {
  const [row] = await database.admin<{ days: number; last: string; selections: string[]; sold: Buffer; shown: Buffer }>(
    `select days, last_day::text as last, selections, sold, shown from machine_courses where machine_id = $1`,
    [machine.id],
  )
  return row && courseReader({ ...row, lastDay: row.last })(selection, dayNumber(day))
}
const stockOf = async (selection: string) => {
  const [row] = await database.admin<{ usual: number[]; forecast: number[]; from: string }>(
    `select usual, forecast, forecast_from::text as from from machine_stock where machine_id = $1 and selection = $2`,
    [machine.id, selection],
  )
  return row
}

test('a managed machine has a forecast of the coming days from its sales until yesterday, with holidays of its country', async () => {
  for (let day = 1; day <= 28; day++) if (isoWeekdayOf(addDays(today, -day)) < 5) await sell(11, day, 3)
  await sell(11, 0, 2)
  await manage()
  const stock = await stockOf('11')
  expect(stock?.from).toBe(today)
  expect(stock?.usual[0]).toBeCloseTo(3, 0)
  expect(stock?.forecast[0]).toBeCloseTo(3, 0)
  // Tuesday, 1 and 8 December.
  expect(stock?.forecast[13]).toBeCloseTo(3, 0)
  expect(stock?.forecast[20]).toBeLessThan(1)
  expect(await storedOn('11', addDays(today, -1))).toEqual({ sold: 3, shown: 1 })
  expect(await storedOn('11', addDays(today, -29))).toEqual({ sold: 0, shown: 1 })
  expect((await stockOf('12'))?.usual).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('days before the last four weeks are those of its products in the sums, divided among the lines that sell them', async () => {
  await sell(11, 3, 2)
  await sell(12, 4, 1)
  const old = addDays(today, -100)
  for (const [product, count] of [
    ['Product 11', 5],
    ['Product 12', 4],
  ] as const)
    await database.admin(
      `insert into packed_sales_days (merchant_id, day, machine_id, starts_at, hour_minute, hour_type, hour_media_type, hour_media_source,
         hour_price_table, hour_product, day_type, day_media_type, day_media_source, day_price_table, day_product, day_count, day_error_count)
       values ($1, $2::date, $3, $2::date, '{}', '{}', '{}', '{}', '{}', '{}', '{1}', '{1}', '{1}', '{0}', array[$4::text], array[$5::int], '{1}')`,
      [machine.merchantId, addDays(old, product === 'Product 11' ? 0 : 1), machine.id, product, count],
    )
  await manage()
  expect(await storedOn('11', old)).toMatchObject({ sold: 4 })
  expect(await storedOn('12', addDays(old, 1))).toMatchObject({ sold: 3 })
})

test('a day later the stored days move on, late sales of the last weeks are added, and older days stay', async () => {
  await sell(11, 28, 2)
  await manage()
  await sell(11, 20, 4)
  await compute(new Date(now.getTime() + 86_400_000))
  // The day has left the weeks that are read again.
  await sell(11, 28, 5)
  await compute(new Date(now.getTime() + 2 * 86_400_000))
  expect(await storedOn('11', addDays(today, -28))).toMatchObject({ sold: 2 })
  expect(await storedOn('11', addDays(today, -20))).toMatchObject({ sold: 4 })
  expect(await storedOn('11', addDays(today, 1))).toMatchObject({ sold: 0 })
})

test('a stock-out does not count as missing demand', async () => {
  await manage(at(5))
  await database.admin(
    `insert into stock_movements (merchant_id, machine_id, selection, id, at, kind, amount, opening, late)
     values ($1, $2, '11', gen_random_uuid(), $3, 'waste', -90, false, false)`,
    [machine.merchantId, machine.id, at(3, '11:00')],
  )
  await database.admin(`update machine_stock set balance = 0, level = 0 where machine_id = $1 and selection = '11'`, [
    machine.id,
  ])
  await compute(now)
  // The day began an hour before midnight of UTC, and its last half had no pieces.
  expect((await storedOn('11', addDays(today, -3)))?.shown).toBeCloseTo(0.5, 1)
  expect(await storedOn('11', addDays(today, -1))).toEqual({ sold: 0, shown: 0 })
  expect(await storedOn('12', addDays(today, -1))).toEqual({ sold: 0, shown: 1 })
})

test('the worker computes a machine’s forecast once a day', async () => {
  await sell(11, 1, 4)
  await manage()
  const tomorrow = new Date(now.getTime() + 25 * 3_600_000)
  expect(await refreshDueSupplies(database, tomorrow)).toContainEqual(
    expect.objectContaining({
      merchantId: machine.merchantId,
      machineId: machine.id,
    }),
  )
  expect((await stockOf('11'))?.from).toBe(addDays(today, 1))
})
