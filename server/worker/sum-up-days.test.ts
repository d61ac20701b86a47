import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StatsFilters } from '#contract/sales/transaction.ts'
import { deleteAlarm } from '#database/alarms/alarm.ts'
import { noGroup, wholeMerchantGroup } from '#database/frame/tenant.ts'
import { markSilent } from '#database/machines/machine-condition.ts'
import { seriesOfPeriod, totalsOfPeriod } from '#database/sales/sales-stats.ts'
import { dueDays } from '#database/sums/sum-up.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import type { TestMachine } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import { aSeller, rollupsOf, rowsOf as rowsIn, storeItem } from '#testkit/machines/seller.ts'
import { sumUpDays } from './sum-up-days.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.admin(`select ensure_partitions('2026-01-01', '2026-12-31')`)
})
afterAll(() => database.close())

const noon = new Date('2026-11-20T11:00:00Z')
const rowsOf = (table: string, merchantId: string, columns?: string) => rowsIn(database, table, merchantId, columns)
const rollups = (merchantId: string, order: { from?: string; to?: string; isCheck?: boolean } = {}) =>
  rollupsOf(database, { merchantId, ...order }, noon)
const statsOf = (merchantId: string, startDate: string, endDate: string, more: Partial<StatsFilters> = {}) =>
  database.withTenant(wholeMerchant(merchantId), async (db) => {
    const filters = { startDate, endDate, ...more } as StatsFilters
    const series = await seriesOfPeriod(db, filters, 'day')
    const [total] = await totalsOfPeriod(db, filters)
    return { total: total?.count ?? 0, days: series.map(({ start, count }) => [start, count]) }
  })

describe('an hour', () => {
  test('is summed by type, media, price list and product, and by rejections of the cash devices', async () => {
    const { merchantId, sell, countCash } = await aSeller(database)
    await sell('2026-11-20T10:10:00Z', { product: 'Espresso', priceTable: 1 })
    await sell('2026-11-20T10:20:00Z', { product: 'Espresso', priceTable: 2 })
    await sell('2026-11-20T10:30:00Z', { product: 'Espresso', priceTable: 2, errorSale: true })
    await sell('2026-11-20T10:40:00Z', { productCode: 'A7' })
    await sell('2026-11-20T10:50:00Z')
    await countCash('2026-11-20T10:15:00Z', {
      accepted: [{ value: 500, count: 3 }],
      rejected: [{ value: 500, count: 1 }],
    })
    await countCash('2026-11-20T10:45:00Z', {
      rejected: [
        { value: 500, count: 2 },
        { value: 1000, count: 0 },
      ],
    })
    expect(await rowsOf('sales_hourly', merchantId, 'product, price_table, error_count, count')).toEqual([
      { product: '', price_table: -1, error_count: 0, count: 1 },
      { product: 'A7', price_table: -1, error_count: 0, count: 1 },
      { product: 'Espresso', price_table: 1, error_count: 0, count: 1 },
      { product: 'Espresso', price_table: 2, error_count: 1, count: 2 },
    ])
    expect(await rowsOf('cash_hourly', merchantId, 'denomination, accepted, rejected')).toEqual([
      { denomination: '500', accepted: '3', rejected: '3' },
    ])
    expect(await rollups(merchantId, { isCheck: true })).toMatchObject({ days: [{ day: '2026-11-20' }], different: [] })
  })

  const zones: [zone: string, day: string, hours: number, sold: [at: string, hour: string][]][] = [
    ['Europe/Rome', '2026-03-29', 23, [['2026-03-29T01:10:00Z', '2026-03-29T01:00:00.000Z']]],
    [
      // The hour from two to three occurs twice.
      'Europe/Rome',
      '2026-10-25',
      25,
      [
        ['2026-10-25T00:30:00Z', '2026-10-25T00:00:00.000Z'],
        ['2026-10-25T01:30:00Z', '2026-10-25T01:00:00.000Z'],
      ],
    ],
    ['Asia/Kolkata', '2026-06-01', 24, [['2026-06-01T10:29:00Z', '2026-06-01T09:30:00.000Z']]],
    [
      // The clock changes by half an hour: the rest of the hour counts as a separate hour.
      'Australia/Lord_Howe',
      '2026-04-05',
      24.5,
      [
        ['2026-04-04T14:55:00Z', '2026-04-04T14:00:00.000Z'],
        ['2026-04-04T15:10:00Z', '2026-04-04T15:00:00.000Z'],
      ],
    ],
    // Midnight occurs twice.
    ['Atlantic/Azores', '2026-10-25', 25, [['2026-10-25T00:30:00Z', '2026-10-25T00:00:00.000Z']]],
  ]
  test.each(zones)('of %s includes late data, and so does %s with its %s hours', async (zone, day, hours, sold) => {
    const { merchantId, sell } = await aSeller(database, zone)
    for (const [instant, hour] of sold) {
      await sell(instant)
      expect((await rowsOf('sales_hourly', merchantId, 'hour, count, type')).map((row) => row.hour)).toContainEqual(
        new Date(hour),
      )
    }
    // Every quarter of an hour around the day, as far as a local clock shows that day.
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
    const midnight = Date.parse(`${day}T00:00:00Z`)
    const slots = Array.from({ length: 56 * 4 }, (_, slot) => midnight + (slot * 15 - 14 * 60) * 60_000)
    const ofDay = slots.filter((slot) => clock.format(slot) === day)
    expect(ofDay.length / 4).toBe(hours)
    for (const slot of ofDay) await sell(slot)
    const count = ofDay.length + sold.length
    expect(await statsOf(merchantId, day, day)).toEqual({ total: count, days: [[day, count]] })
    await sumUpDays(database, new Date(midnight + 48 * 3_600_000))
    const summed = await rowsOf('summed_days', merchantId, 'day::text, 1, 2')
    expect(summed.map((row) => row.day)).toContain(day)
    expect(await statsOf(merchantId, day, day)).toEqual({ total: count, days: [[day, count]] })
    const next = new Date(midnight + 24 * 3_600_000).toISOString().slice(0, 10)
    expect(await rollups(merchantId, { to: next, isCheck: true })).toMatchObject({ different: [] })
    // Otherwise later tests would also sum up its days.
    for (const table of [
      'open_sales_hourly',
      'open_group_sales_hourly',
      'packed_sales_days',
      'packed_group_sales_days',
      'summed_days',
    ])
      await database.admin(`delete from ${table} where merchant_id = $1`, [merchantId])
  })
})

describe('a day', () => {
  test('is summed up an hour after its end, by each merchant’s own calendar', async () => {
    const rome = await aSeller(database)
    const mexico = await aSeller(database, 'America/Mexico_City')
    for (const { sell } of [rome, mexico]) await sell('2026-11-18T12:00:00Z')
    const summed = async () => [
      (await rowsOf('summed_days', rome.merchantId, 'day::text, 1, 2')).map(({ day }) => day),
      (await rowsOf('summed_days', mexico.merchantId, 'day::text, 1, 2')).map(({ day }) => day),
    ]
    await sumUpDays(database, new Date('2026-11-18T23:30:00Z'))
    expect(await summed()).toEqual([[], []])
    await sumUpDays(database, new Date('2026-11-19T00:30:00Z'))
    expect(await summed()).toEqual([['2026-11-18'], []])
    await sumUpDays(database, new Date('2026-11-19T07:30:00Z'))
    expect(await summed()).toEqual([['2026-11-18'], ['2026-11-18']])
  })

  test('with late data is corrected at once, and summed up again', async () => {
    const { merchantId, sell } = await aSeller(database)
    for (const day of ['16', '17', '18', '19']) await sell(`2026-11-${day}T12:00:00Z`, { product: 'Tea' })
    await sumUpDays(database, noon)
    await sell('2026-11-17T13:00:00Z', { product: 'Tea', value: 250 })
    const expected = {
      total: 5,
      days: [
        ['2026-11-16', 1],
        ['2026-11-17', 2],
        ['2026-11-18', 1],
        ['2026-11-19', 1],
      ],
    }
    expect(await statsOf(merchantId, '2026-11-01', '2026-11-30')).toEqual(expected)
    expect(await rowsOf('changed_days', merchantId, 'day::text, 1, 2')).toMatchObject([{ day: '2026-11-17' }])
    await sumUpDays(database, noon)
    expect(await rowsOf('changed_days', merchantId)).toEqual([])
    expect(await statsOf(merchantId, '2026-11-01', '2026-11-30')).toEqual(expected)
    expect(await rowsOf('product_sales_daily', merchantId, 'day::text, product, count, value')).toContainEqual({
      day: '2026-11-17',
      product: 'Tea',
      count: 2,
      value: '350',
    })
    expect((await rollups(merchantId, { isCheck: true })).different).toEqual([])
  })

  test('that a worker without sums to date has summed up during an upgrade is summed up again, once', async () => {
    const { merchantId, sell } = await aSeller(database)
    for (const day of ['17', '18']) await sell(`2026-11-${day}T12:00:00Z`)
    await sumUpDays(database, noon)
    // What a worker of version 0.1.0 leaves.
    await database.admin(`delete from machine_sales_to_date where merchant_id = $1 and day = '2026-11-18'`, [
      merchantId,
    ])
    await database.admin(
      `update summed_days set summed_at = now() + interval '1 second' where merchant_id = $1 and day = '2026-11-18'`,
      [merchantId],
    )
    const sumsOf = () => rowsOf('machine_sales_to_date', merchantId, 'day::text, count, value')
    expect(await sumsOf()).toEqual([{ day: '2026-11-17', count: '1', value: '100' }])
    await sumUpDays(database, noon)
    expect(await sumsOf()).toEqual([
      { day: '2026-11-17', count: '1', value: '100' },
      { day: '2026-11-18', count: '2', value: '200' },
    ])
    expect((await rollups(merchantId, { isCheck: true })).different).toEqual([])
    expect((await dueDays(database, noon, 1000)).filter((due) => due.merchantId === merchantId)).toEqual([])
  })

  test('with simultaneous changes stays marked while it is summed up', async () => {
    const { merchantId, machine, sell } = await aSeller(database)
    await sell('2026-11-18T12:00:00Z')
    await sumUpDays(database, noon)
    let finish = () => {}
    const isFinished = new Promise<void>((resolve) => {
      finish = resolve
    })
    // Like an ingest transaction, held open before its commit.
    const adding = database.withTenant(wholeMerchant(merchantId), async ({ query }) => {
      const hour = {
        merchant_id: merchantId,
        day: '2026-11-18',
        hour: '2026-11-18T12:00:00Z',
        type: 1,
        media_type: 1,
        media_source: 1,
      }
      const amounts = { count: 1, value: 100, value_charge: 0, free_count: 0, error_count: 0 }
      await query
        .insertInto('open_sales_hourly')
        .values({ ...hour, ...amounts, machine_id: machine.id })
        .execute()
      for (const group_id of [noGroup, wholeMerchantGroup])
        await query
          .insertInto('open_group_sales_hourly')
          .values({ ...hour, ...amounts, group_id })
          .execute()
      await query
        .insertInto('changed_days')
        .values({ merchant_id: merchantId, day: '2026-11-18', id: machine.id })
        .execute()
      await isFinished
    })
    await database.admin(`insert into changed_days (merchant_id, day, id) values ($1, '2026-11-18', $1)`, [merchantId])
    expect(await sumUpDays(database, noon)).toBe(1)
    expect((await statsOf(merchantId, '2026-11-18', '2026-11-18')).total).toBe(1)
    finish()
    await adding
    expect((await statsOf(merchantId, '2026-11-18', '2026-11-18')).total).toBe(2)
    expect(await sumUpDays(database, noon)).toBe(1)
    expect((await statsOf(merchantId, '2026-11-18', '2026-11-18')).total).toBe(2)
  })

  test('has the blocked and offline time of its machines by the hour', async () => {
    const { merchantId, machine, sell } = await aSeller(database)
    await sell('2026-11-18T12:00:00Z')
    const lasting = (from: string, to: string | null, more: object = {}) =>
      anAlarm(database, machine, {
        code: `E${from}`,
        created_at: from,
        last_at: from,
        repaired_at: to,
        status: to ? 'repaired' : 'active',
        ...more,
      })
    await lasting('2026-11-18T09:30:00Z', '2026-11-18T11:15:00Z')
    // Within the first alarm, and not blocking.
    await lasting('2026-11-18T10:00:00Z', '2026-11-18T10:30:00Z')
    await lasting('2026-11-18T15:00:00Z', '2026-11-18T16:00:00Z', { criticity: 2 })
    await lasting('2026-11-18T22:30:00Z', null)
    await database.admin(
      `insert into absences (merchant_id, machine_id, began_at, ended_at) values ($1, $2, '2026-11-18T11:10:00Z', '2026-11-18T11:20:00Z')`,
      [merchantId, machine.id],
    )
    await sumUpDays(database, new Date('2026-11-19T01:00:00Z'))
    const hour = (text: string, blocked: number, absent: number) => ({
      hour: new Date(`2026-11-18T${text}:00Z`),
      blocked_seconds: blocked,
      absent_seconds: absent,
    })
    expect(await rowsOf('downtime_hourly', merchantId, 'hour, blocked_seconds, absent_seconds')).toEqual([
      hour('09:00', 1800, 0),
      hour('10:00', 3600, 0),
      hour('11:00', 900, 600),
      hour('22:00', 1800, 0),
    ])
  })
})

describe('a day that was summed up', () => {
  const event = (machine: TestMachine, at: string, seq: number, active: boolean) =>
    storeItem(database, machine, { kind: 'event', seq, at, more: { active } })
  const blockedOn = async (merchantId: string) => {
    await sumUpDays(database, noon)
    const rows = await rowsOf('downtime_hourly', merchantId, 'hour, blocked_seconds, 1')
    return rows.reduce((sum, { blocked_seconds }) => sum + blocked_seconds, 0)
  }

  test('is summed up again when a machine reports an alarm or its end late, and when a user deletes an alarm', async () => {
    const { merchantId, machine, sell } = await aSeller(database)
    await sell('2026-11-18T12:00:00Z')
    expect(await blockedOn(merchantId)).toBe(0)
    await event(machine, '2026-11-18T09:30:00Z', 10, true)
    // Open until the end of the nineteenth in Rome.
    expect(await blockedOn(merchantId)).toBe(37.5 * 3600)
    await event(machine, '2026-11-18T11:00:00Z', 11, false)
    expect(await blockedOn(merchantId)).toBe(1.5 * 3600)
    const [alarm] = await database.admin<{ id: string }>('select id from alarms where machine_id = $1', [machine.id])
    await database.withTenant(wholeMerchant(merchantId), (db) =>
      deleteAlarm(db, { merchant_id: merchantId, machine_id: machine.id, id: alarm?.id ?? '' }),
    )
    expect(await blockedOn(merchantId)).toBe(0)
  })

  test('is summed up again when an offline time on it is found later', async () => {
    const { merchantId, machine, sell } = await aSeller(database)
    await sell('2026-11-18T12:00:00Z')
    await sumUpDays(database, noon)
    await database.admin(`update machines set connection = 1, last_seen_at = '2026-11-18T22:00:00Z' where id = $1`, [
      machine.id,
    ])
    expect(await markSilent(database, noon)).toContainEqual(expect.objectContaining({ machineId: machine.id }))
    await sumUpDays(database, noon)
    const rows = await rowsOf('downtime_hourly', merchantId, 'hour, absent_seconds, 1')
    expect(rows.reduce((sum, { absent_seconds }) => sum + absent_seconds, 0)).toBe(25 * 3600)
  })
})
