import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noGroup, wholeMerchantGroup } from '#database/frame/tenant.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, type TestMachine } from '#testkit/fixtures.ts'
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

describe('npm run rollups', () => {
  async function aBrokenSeller() {
    const seller = await aSeller(database)
    const { sell, countCash, merchantId } = seller
    for (const day of ['17', '18', '19', '20']) await sell(`2026-11-${day}T09:00:00Z`, { product: 'Tea' })
    await countCash('2026-11-18T09:00:00Z', { accepted: [{ value: 200, count: 5 }] })
    await sumUpDays(database, noon)
    const hours = () =>
      rowsOf('group_sales_hourly', merchantId, 'group_id, hour, type, count, value, free_count, error_count')
    return {
      ...seller,
      rows: async () => [await hours(), ...(await Promise.all(tables.map((table) => rowsOf(table, merchantId))))],
    }
  }
  const tables = [
    'sales_hourly',
    'cash_hourly',
    'sales_daily',
    'product_sales_daily',
    'merchant_products_daily',
    'machine_sales_to_date',
    'place_products_to_date',
    'group_sales_daily',
    'downtime_hourly',
    'machine_kpis_daily',
    'merchant_kpis_daily',
    'machine_kpis_spans',
  ]
  const ofKpis = ['machine_kpis_daily', 'merchant_kpis_daily']
  const hoursPacked = ['sales_hourly', 'sales_daily', 'merchant_products_daily']
  const ofHours = [...hoursPacked, 'place_products_to_date']
  const ofGroups = ['group_sales_hourly', 'group_sales_daily']

  test.each([
    // Of ended days, which are packed.
    [
      `update packed_sales_days set hour_count = '{7}'`,
      [...hoursPacked, 'product_sales_daily', ...ofGroups, ...ofKpis],
    ],
    [`update packed_sales_days set day_count = '{7}'`, ['product_sales_daily', 'place_products_to_date']],
    [`delete from packed_sales_days`, [...ofHours, ...ofGroups, ...ofKpis]],
    [
      `update packed_sales_days set starts_at = (starts_at at time zone 'UTC' + interval '7 minutes') at time zone 'UTC'`,
      ['sales_hourly', 'group_sales_hourly'],
    ],
    [
      `update packed_group_sales_days set hour_value = '{7}' where group_id = '${wholeMerchantGroup}'`,
      ['group_sales_hourly'],
    ],
    [
      `update packed_group_sales_days set group_id = '${randomUUID()}' where group_id = '${noGroup}'`,
      ['group_sales_hourly'],
    ],
    [`delete from packed_group_sales_days`, ['group_sales_hourly']],
    // Of today.
    [`update open_sales_hourly set count = count + 1`, ['sales_hourly', 'group_sales_hourly']],
    [`delete from open_sales_hourly`, ['sales_hourly', 'group_sales_hourly']],
    [
      `update open_group_sales_hourly set value = value + 1 where group_id = '${wholeMerchantGroup}'`,
      ['group_sales_hourly'],
    ],
    [`delete from group_sales_daily`, ['group_sales_daily']],
    [`update cash_hourly set accepted = 0`, ['cash_hourly', ...ofKpis]],
    [`update sales_daily set value = value - 1`, ['sales_daily', 'machine_sales_to_date']],
    [`update machine_sales_to_date set value = value - 1 where day = '2026-11-18'`, ['machine_sales_to_date']],
    [`delete from machine_sales_to_date`, ['machine_sales_to_date']],
    [`update place_products_to_date set count = '{9}' where day = '2026-11-18'`, ['place_products_to_date']],
    [`update place_products_to_date set client_id = '${randomUUID()}'`, ['place_products_to_date']],
    [`delete from merchant_products_daily`, ['merchant_products_daily']],
    [`update merchant_products_daily set product = 'Coffee'`, ['merchant_products_daily']],
    [
      `insert into downtime_hourly select merchant_id, hour, machine_id, 1, 1 from sales_hourly where hour < '2026-11-19' limit 1`,
      ['downtime_hourly'],
    ],
    [
      `update machine_kpis_daily set cycles = cycles + 1 where day = '2026-11-18'`,
      ['machine_kpis_daily', 'machine_kpis_spans'],
    ],
    [`delete from machine_kpis_daily`, ['machine_kpis_daily', 'machine_kpis_spans']],
    [`update machine_kpis_daily set rejected = accepted`, ['machine_kpis_daily', 'machine_kpis_spans']],
    [`update merchant_kpis_daily set coins_accepted = 1`, ['merchant_kpis_daily']],
    [`update machine_kpis_spans set seconds = seconds - 1`, ['machine_kpis_spans']],
    [`delete from machine_kpis_spans`, ['machine_kpis_spans']],
  ])('reports the differences after “%s” and rebuilds the sums exactly', async (harm, tables) => {
    const { merchantId, rows } = await aBrokenSeller()
    const before = await rows()
    await database.admin(
      harm.includes(' where ')
        ? harm.replace(' where ', ` where merchant_id = '${merchantId}' and `)
        : `${harm} where merchant_id = '${merchantId}'`,
    )
    const check = await rollups(merchantId, { isCheck: true })
    expect(new Set(check.different.flatMap(({ different }) => different))).toEqual(new Set(tables))
    expect(await rows()).not.toEqual(before)
    // Sums to date are rewritten for their whole month.
    const isOfMonth = tables.every((table) => table.endsWith('_to_date'))
    expect((await rollups(merchantId)).different).toHaveLength(isOfMonth ? 1 : check.different.length)
    expect(await rows()).toEqual(before)
    expect((await rollups(merchantId, { isCheck: true })).different).toEqual([])
  })

  test('changes no other day, and no other merchant', async () => {
    const one = await aBrokenSeller()
    const other = await aBrokenSeller()
    for (const harm of [`packed_sales_days set hour_count = '{9}'`, 'open_sales_hourly set count = 9'])
      await database.admin(`update ${harm} where merchant_id = any($1)`, [[one.merchantId, other.merchantId]])
    const { days } = await rollups(one.merchantId, { from: '2026-11-18', to: '2026-11-19' })
    expect(days.map(({ day }) => day)).toEqual(['2026-11-18', '2026-11-19'])
    const countsOf = async ({ merchantId }: typeof one) =>
      (await rowsOf('sales_hourly', merchantId, 'hour, count, 1')).map(({ count }) => count)
    expect(await countsOf(one)).toEqual([9, 1, 1, 9])
    expect(await countsOf(other)).toEqual([9, 9, 9, 9])
  })

  test('is safe while machines sell', async () => {
    const { merchantId, sell, machine } = await aSeller(database)
    const other = await aMachine(database, merchantId)
    for (let n = 0; n < 20; n++) await sell(noon.getTime() - n * 60_000)
    let isOver = false
    const harming = (async () => {
      while (!isOver) {
        await database.admin(
          `update open_sales_hourly set value = 1 where merchant_id = $1 and machine_id = $2 and product = ''`,
          [merchantId, other.id],
        )
        await rollups(merchantId, { from: '2026-11-20' })
      }
    })()
    await Promise.all(
      [machine, other].map(async (one: TestMachine) => {
        for (let seq = 100; seq < 140; seq++)
          await storeItem(database, one, { kind: 'sale', seq, at: noon.getTime() - 1000 * seq })
      }),
    )
    isOver = true
    await harming
    await rollups(merchantId, { from: '2026-11-20' })
    const [sums] = await database.admin(
      `select (select count(*) from transactions where merchant_id = $1) as rows, (select sum(count) from sales_hourly where merchant_id = $1) as summed`,
      [merchantId],
    )
    expect(sums).toEqual({ rows: '100', summed: '100' })
    expect((await rollups(merchantId, { isCheck: true })).different).toEqual([])
  })
})
