import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Numbers } from '#contract/vocabulary/numbers.ts'
import { mediaSources, mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'
import { migrate } from '#database/distribute/migrate.ts'
import { isDistributed } from '#database/frame/distributed.ts'
import { amounts } from '#database/sums/group-hours.ts'
import { cashMoved } from '#domain/cash/movement.ts'
import { paidWithOf } from '#domain/sales/paid-with.ts'
import { aDatabase, openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { inputOf, rollupsOf } from '#testkit/machines/seller.ts'
import { moveAllSums } from '../worker/move-sums.ts'
import { sumUpDays } from '../worker/sum-up-days.ts'
import { storeBatch } from './store-batch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

const codesOf = (numbers: Numbers) => [...Object.values(numbers), 99]
const codes = {
  type: codesOf(transactionTypes),
  mediaType: codesOf(mediaTypes),
  mediaSource: codesOf(mediaSources),
}

test('the database and the domain agree on what paid a transaction and on the cash that it moved', async () => {
  const all = codes.type.flatMap((type) =>
    codes.mediaType.flatMap((mediaType) =>
      codes.mediaSource.flatMap((mediaSource) =>
        [null, 1, 2].flatMap((paidWith) =>
          [
            { errorSale: false, value: 70 },
            { errorSale: true, value: -70 },
            { errorSale: false, value: -70 },
            { errorSale: true, value: 70 },
          ].map((more) => ({ type, mediaType, mediaSource, paidWith, ...more })),
        ),
      ),
    ),
  )
  const rows = await database.admin<{ paid: number; moved: string }>(
    `select paid_with(type, media_type, media_source, said) as paid, cash_moved(type, media_type, media_source, said, failed, value) as moved
     from jsonb_to_recordset($1::jsonb) as one (place int, type int, media_type int, media_source int, said int, failed boolean, value bigint)
     order by place`,
    [
      JSON.stringify(
        all.map(({ type, mediaType, mediaSource, paidWith, errorSale, value }, place) => ({
          place,
          type,
          media_type: mediaType,
          media_source: mediaSource,
          said: paidWith,
          failed: errorSale,
          value,
        })),
      ),
    ],
  )
  const differences = all.filter((one, index) => {
    const { paid, moved } = rows[index] ?? {}
    return paid !== paidWithOf(one) || Number(moved) !== cashMoved(one)
  })
  expect(rows.length).toBe(all.length)
  expect(differences).toEqual([])
})

const paidOut = [6, 8, 10, 12, 16, 108]
const aSale = fc
  .record({
    type: fc.constantFrom(1, 1, 1, 14, 15, ...codes.type),
    mediaType: fc.constantFrom(...codes.mediaType),
    mediaSource: fc.constantFrom(...codes.mediaSource),
    paidWith: fc.option(fc.constantFrom(1, 5), { nil: undefined, freq: 2 }),
    amount: fc.integer({ min: 0, max: 500 }),
    errorSale: fc.constantFrom(false, false, true),
    freeSale: fc.constantFrom(false, false, false, true),
    hour: fc.integer({ min: 1, max: 60 }),
    isSecond: fc.boolean(),
  })
  .map(({ amount, ...sale }) => ({ ...sale, value: paidOut.includes(sale.type) ? -amount : amount }))

const now = new Date()
const nowAt = now.getTime()

/** Two machines, one of them in a group, that have sold these. */
async function sell(
  into: TestDatabase,
  sales: readonly (typeof aSale extends fc.Arbitrary<infer Sale> ? Sale : never)[],
) {
  const { id: merchantId } = await aMerchant(into)
  const groupId = await aGroup(into, merchantId)
  const machines = [await aMachine(into, merchantId), await aMachine(into, merchantId, { groupId })] as const
  const inputs = sales.map(({ hour, isSecond, ...more }, index) =>
    inputOf(machines[isSecond ? 1 : 0] as TestMachine, {
      kind: 'sale',
      seq: index + 1,
      at: nowAt - hour * 3_600_000,
      more,
    }),
  )
  for (let from = 0; from < inputs.length; from += 10) await storeBatch(into, inputs.slice(from, from + 10), () => {})
  return { merchantId, machines, groupId }
}

/** The same amounts, said in SQL once more without the product's own functions. */
const counted = `
  select count(*) filter (where type in (1, 2, 14, 15) and not error_sale)::int as vends,
    coalesce(sum(value) filter (where type in (1, 2, 14, 15) and not error_sale), 0)::int as turnover,
    coalesce(sum(value) filter (where type in (1, 2, 14, 15) and error_sale), 0)::int as charged,
    coalesce(sum(case when type in (6, 8, 10, 12, 16, 108) then case when error_sale then 0 else value end else value end) filter (
      where type not in (0, 2, 3, 5, 13, 17, 99, 110) and case when paid_with is not null then paid_with = 1
        when type between 7 and 12 then true when media_type = 1 then true
        when media_type in (5, 6, 10, 99, 254) then false
        when media_source in (1, 2) then true else type = 4 end), 0)::int as cash
  from transactions where merchant_id = $1`
const summed = (table: string, where = 'true') => `
  select coalesce(sum(count - error_count) filter (where type in (1, 2, 14, 15)), 0)::int as vends,
    coalesce(sum(value) filter (where type in (1, 2, 14, 15)), 0)::int as turnover,
    coalesce(sum(error_value) filter (where type in (1, 2, 14, 15)), 0)::int as charged,
    coalesce(sum(cash_value), 0)::int as cash
  from ${table} where merchant_id = $1 and ${where}`
const whole = `group_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`

test('turnover, money of failed vends and cash of all sums are those of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aSale, { minLength: 1, maxLength: 40 }), async (sales) => {
      const { merchantId, machines, groupId } = await sell(database, sales)
      const [rows] = await database.admin(counted, [merchantId])
      const sums = async (table: string, where?: string) =>
        (await database.admin(summed(table, where), [merchantId]))[0]
      expect(await sums('sales_hourly')).toEqual(rows)
      expect(await sums('group_sales_hourly', whole)).toEqual(rows)
      await database.admin('update machines set group_id = $2 where id = $1', [machines[0].id, groupId])
      await database.admin(`insert into regrouped_machines (merchant_id, machine_id) values ($1, $2)`, [
        merchantId,
        machines[0].id,
      ])
      await moveAllSums(database)
      expect(await sums('group_sales_hourly', `group_id = '${groupId}'`)).toEqual(rows)
      await sumUpDays(database, new Date(nowAt + 48 * 3_600_000))
      for (const table of ['sales_hourly', 'sales_daily', 'product_sales_daily', 'merchant_products_daily'])
        expect(await sums(table)).toEqual(rows)
      for (const table of ['group_sales_hourly', 'group_sales_daily']) expect(await sums(table, whole)).toEqual(rows)
      // Ended days are packed.
      for (const table of ['open_sales_hourly', 'open_group_sales_hourly'])
        expect(await database.admin(`select 1 from ${table} where merchant_id = $1`, [merchantId])).toEqual([])
      expect((await rollupsOf(database, { merchantId, isCheck: true }, now)).different).toEqual([])
    }),
    { numRuns: process.env.TEST_RUN === 'full' ? 60 : 8 },
  )
})

const sumTables = ['sales_hourly', 'sales_daily', 'product_sales_daily', 'group_sales_hourly', 'group_sales_daily']

/** Puts the hours back into the tables of the release before they were packed. */
const unpack = `
  ${[
    ['sales_hourly', 'merchant_id, hour, machine_id, type, media_type, media_source, price_table, product'],
    ['product_sales_daily', 'merchant_id, day, machine_id, type, media_type, media_source, price_table, product'],
    ['group_sales_hourly', 'merchant_id, group_id, hour, type, media_type, media_source, slot'],
  ]
    .map(
      ([view, key]) => `
    create table unpacked as select ${key}, ${amounts.map((name) => `sum(${name})::bigint as ${name}`).join(', ')} from ${view} group by ${key};
    drop view ${view};
    alter table unpacked rename to ${view};
    alter table ${view} add primary key (${key});`,
    )
    .join('')}
  drop table open_sales_hourly, open_group_sales_hourly, packed_sales_days, packed_group_sales_days, merchant_products_daily;
  delete from migrations where name = '0210_packed_sums.sql'`

// No earlier release was on several nodes.
test.skipIf(isDistributed())(
  'sums of an earlier release get the new amounts from their rows, and are packed',
  async () => {
    const older = await aDatabase()
    const [sales = []] = fc.sample(
      fc.array(
        aSale.map((sale) => ({ ...sale, paidWith: undefined })),
        { minLength: 60, maxLength: 60 },
      ),
      { numRuns: 1, seed: 7 },
    )
    const { merchantId } = await sell(older, sales)
    await sumUpDays(older, now)
    const keys = {
      sales_hourly: 'machine_id, hour, price_table, product',
      sales_daily: 'machine_id, day',
      product_sales_daily: 'machine_id, day, price_table, product',
      group_sales_hourly: 'group_id, hour',
      group_sales_daily: 'group_id, day',
    }
    const all = () =>
      Promise.all(
        Object.entries(keys).map(([table, key]) =>
          older.admin(
            `select ${key}, type, media_type, media_source, ${amounts.map((name) => `sum(${name}) as ${name}`).join(', ')}
           from ${table} where merchant_id = $1 group by ${key}, type, media_type, media_source order by ${key}, type, media_type, media_source`,
            [merchantId],
          ),
        ),
      )
    const before = await all()
    const packed = await older.admin('select * from packed_sales_days order by 1, 2, 3')
    await older.admin(unpack)
    for (const table of sumTables)
      await older.admin(
        `update ${table} set value = value + error_value; alter table ${table} drop column error_value, drop column cash_value`,
      )
    await older.admin(`drop function cash_moved; drop function paid_with; alter table transactions drop column paid_with;
    delete from migrations where name = '0135_sums_of_cash.sql'`)
    expect(await migrate(older.adminUrl)).toEqual(['0135_sums_of_cash.sql', '0210_packed_sums.sql'])
    expect(await all()).toEqual(before)
    expect(packed.length).toBeGreaterThan(0)
    expect(await older.admin('select * from packed_sales_days order by 1, 2, 3')).toEqual(packed)
    expect(before.flat().some(({ error_value: charged }) => Number(charged) > 0)).toBe(true)
  },
)
