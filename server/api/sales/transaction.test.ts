// Over 450 lines because every way to read sales is tested on the same ones.
import { parseCsv } from 'hucre/csv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let person: TestUser
let admin: TestClient
let merchantId: string
let machine: TestMachine

beforeAll(async () => {
  api = await openTestApi({ EXPORT_MAX_RESULTS: '11' })
  merchantId = (await aMerchant(api.database)).id
  machine = await aMachine(api.database, merchantId)
  person = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(person)
})
afterAll(() => api.close())

/** A merchant with a machine and an admin of its own. */
async function anotherMerchant() {
  const { id } = await aMerchant(api.database)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
  return { merchantId: id, machine: await aMachine(api.database, id), admin }
}

const params = () => ({ merchantId })
const at = (text: string) => new Date(text)
/** A month in the recent past, for which partitions exist. */
const month = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7)
const day = (number: string) => `${month}-${number}`

describe('page by page', () => {
  const query = { startDate: day('03'), endDate: day('03'), size: 3 }

  beforeAll(async () => {
    const other = await aMachine(api.database, merchantId)
    for (let minute = 0; minute < 10; minute++) {
      const which = minute % 2 === 0 ? machine : other
      await aSale(api.database, which, { created_at: at(`${day('03')}T10:0${minute}:00Z`), value: minute })
    }
    // Two at the same instant, so that the id decides.
    await aSale(api.database, machine, { created_at: at(`${day('03')}T10:09:00Z`), value: 10 })
  })

  test('following "next" shows every transaction once, newest first, and "previous" leads back the same way', async () => {
    const forward: number[][] = []
    let page = await admin.listTransactions({ params: params(), query })
    forward.push(page.items.map((item) => item.value))
    while (page.next) {
      page = await admin.listTransactions({ params: params(), query: { ...query, cursor: page.next } })
      forward.push(page.items.map((item) => item.value))
    }
    const values = forward.flat()
    expect([...values].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(values.slice(2)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0])
    const back: number[][] = [forward.at(-1) as number[]]
    while (page.previous) {
      page = await admin.listTransactions({ params: params(), query: { ...query, cursor: page.previous } })
      back.unshift(page.items.map((item) => item.value))
    }
    expect(back).toEqual(forward)
  })

  test('oldest first works in the same way, and a page by number shows the same rows', async () => {
    const first = await admin.listTransactions({ params: params(), query: { ...query, ordType: 'ASC' } })
    expect(first.items.map((item) => item.value)).toEqual([0, 1, 2])
    expect(first.total).toBe(11)
    expect(first.previous).toBeNull()
    const second = await admin.listTransactions({ params: params(), query: { ...query, ordType: 'ASC', page: 2 } })
    expect(second.items.map((item) => item.value)).toEqual([3, 4, 5])
    const byCursor = await admin.listTransactions({
      params: params(),
      query: { ...query, ordType: 'ASC', cursor: first.next ?? '' },
    })
    expect(byCursor.items).toEqual(second.items)
  })

  test('the shorter address answers the same pages', async () => {
    const first = await admin.listTransactionPages({ params: params(), query })
    expect(first).toEqual(await admin.listTransactions({ params: params(), query }))
    const second = await admin.listTransactionPages({ params: params(), query: { ...query, cursor: first.next ?? '' } })
    expect(second.items.map(({ value }) => value)).toEqual([7, 6, 5])
  })

  test('all transactions are returned without pages, up to the maximum of an export', async () => {
    const { size: _, ...filters } = query
    const all = await admin.listAllTransactions({ params: params(), query: { ...filters, ordType: 'ASC' } })
    expect(all).toMatchObject({ total: 11, capped: false })
    expect(all.items.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const one = await admin.listAllTransactions({ params: params(), query: { ...filters, posIds: [machine.id] } })
    expect(one.items.map(({ value }) => value)).toEqual([10, 8, 6, 4, 2, 0])
    await aSale(api.database, machine, { created_at: at(`${day('02')}T10:00:00Z`) })
    const longer = { ...filters, startDate: day('02') }
    const capped = await admin.listAllTransactions({ params: params(), query: longer })
    expect([capped.items.length, capped.total, capped.capped]).toEqual([11, 11, true])
  })

  test('an invalid cursor returns the first page', async () => {
    const page = await admin.listTransactions({ params: params(), query: { ...query, cursor: '😀../etc' } })
    expect(page.items).toHaveLength(3)
  })
})

test('a day is in the merchant’s local time: half past midnight in Rome belongs to the new day', async () => {
  const { id } = await aMerchant(api.database, { time_zone: 'America/Mexico_City', currency: 'MXN' })
  const far = await aMachine(api.database, id)
  const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
  await aSale(api.database, far, { created_at: at(`${day('11')}T04:30:00Z`), value: 700 })
  const of = async (date: string) =>
    (await user.listTransactions({ params: { merchantId: id }, query: { startDate: date, endDate: date } })).total
  expect([await of(day('10')), await of(day('11'))]).toEqual([1, 0])
  const { series } = await user.statsOfPeriod({
    params: { merchantId: id },
    query: { startDate: day('10'), endDate: day('10'), step: 'hour' },
  })
  expect(series).toMatchObject([{ start: `${day('10')}T22:30`.replace('22:30', '22:00'), value: 700, currency: 'MXN' }])
})

test('filters by product, media, free and failed sales', async () => {
  const date = day('15')
  const on = (minute: number) => ({ created_at: at(`${date}T10:${minute}:00Z`) })
  await aSale(api.database, machine, { ...on(10), product: 'Tè verde', media_type: 2, media_serial: 'KEY00042' })
  await aSale(api.database, machine, { ...on(11), type: 2, free_sale: true, value: 0 })
  await aSale(api.database, machine, { ...on(12), error_sale: true, value: 0 })
  const find = async (filter: object) =>
    (await admin.listTransactions({ params: params(), query: { startDate: date, endDate: date, ...filter } })).items
      .length
  expect(await find({ search: 'verde' })).toBe(1)
  expect(await find({ search: 'key0004' })).toBe(1)
  expect(await find({ mediaTypes: [2] })).toBe(1)
  expect(await find({ freeSale: 'true' })).toBe(1)
  expect(await find({ errorSale: 'true' })).toBe(1)
  expect(await find({ errorSale: 'false' })).toBe(2)
  expect(await find({ types: [1, 2] })).toBe(3)
})

test('the placeholder of a media without a serial is anonymous, and no search finds it', async () => {
  const date = day('16')
  const on = (minute: number) => ({ created_at: at(`${date}T10:${minute}:00Z`), media_type: 2 })
  for (const [minute, media_serial] of [
    [10, 'FFFFFFFF'],
    [11, 'ffffffff'],
    [12, 'FFFFFFF1'],
    [13, null],
  ] as const)
    await aSale(api.database, machine, { ...on(minute), media_serial })
  const list = (filter: object = {}) =>
    admin.listTransactions({ params: params(), query: { startDate: date, endDate: date, ordType: 'ASC', ...filter } })
  const mediaOf = ({ items }: Awaited<ReturnType<typeof list>>) =>
    items.map(({ mediaSerial, isAnonymousMedia }) => [mediaSerial, isAnonymousMedia])
  expect(mediaOf(await list())).toEqual([
    [null, true],
    [null, true],
    ['FFFFFFF1', false],
    [null, false],
  ])
  expect(mediaOf(await list({ search: 'FFFFFFF' }))).toEqual([['FFFFFFF1', false]])
  const filter = { startDate: date, endDate: date }
  const body = { list: 'transactions', format: 'csv', columns: ['serial'], filter, language: 'en' } as const
  const file = await api.send('exportShown', { params: params(), body }, person)
  expect(file.payload.split(/\r?\n/).slice(1, -1).toSorted()).toEqual(['', '', '', '"FFFFFFF1"'])
})

test('a reversal names its original sale, up to 60 days before it, in the list as well', async () => {
  // Of another merchant: the days of the other tests may be among those before today.
  const { merchantId, machine: reversed, admin } = await anotherMerchant()
  await api.database.admin(`select ensure_partitions(now() - interval '61 days', now())`)
  const soldAt = (days: number) => ({ created_at: new Date(Date.now() - days * 86_400_000), epoch: 1 })
  const wanted: Record<string, string | null> = {}
  for (const [seq, days] of [
    [71, 0.001],
    [73, 59],
    [75, 61],
  ] as const) {
    const originalId = await aSale(api.database, reversed, { ...soldAt(days), seq })
    const back = { ...soldAt(0), seq: seq + 1, original_seq: seq, type: 16, value: -150 }
    const id = await aSale(api.database, reversed, back)
    wanted[id] = days > 60 ? null : originalId
    const reversal = await admin.getTransaction({ params: { merchantId, transactionId: id } })
    expect(reversal).toMatchObject({ originalTransactionId: wanted[id], value: -150 })
  }
  // The numbers of another epoch are other sales.
  const other = await aSale(api.database, reversed, { ...soldAt(0), epoch: 2, seq: 80, original_seq: 71, type: 16 })
  wanted[other] = null
  const query = {
    startDate: soldAt(1).created_at.toISOString().slice(0, 10),
    endDate: soldAt(-1).created_at.toISOString().slice(0, 10),
    posIds: [reversed.id],
    types: [16],
  }
  const { items } = await admin.listTransactions({ params: { merchantId }, query })
  expect(Object.fromEntries(items.map((item) => [item.id, item.originalTransactionId]))).toEqual(wanted)
})

test('a sale is opened however late it arrived, or however wrong the clock of its machine was', async () => {
  const { merchantId, machine, admin } = await anotherMerchant()
  for (const days of [-1, 0, 1, 40]) {
    const created_at = new Date(Date.now() - days * 86_400_000)
    const transactionId = await aSale(api.database, machine, { created_at, value: 1234 })
    expect(await admin.getTransaction({ params: { merchantId, transactionId } })).toMatchObject({
      id: transactionId,
      value: 1234,
    })
  }
})

test('stats by point of sale and by code add up to the totals of the period', async () => {
  const query = { startDate: day('01'), endDate: day('28') }
  const { totals } = await admin.statsOfPeriod({ params: params(), query })
  const byPos = await admin.statsByPos({ params: params(), query })
  const types = await admin.typesUsed({ params: params(), query })
  const sum = (rows: { value: number }[]) => rows.reduce((total, row) => total + row.value, 0)
  expect(sum(totals)).toBeGreaterThan(0)
  expect(sum(byPos.items)).toBe(sum(totals))
  expect(sum(types)).toBe(sum(totals))
  expect(byPos.total).toBe(2)
})

test('machines are compared with the period before, and their mean with the usual, in the list and its export', async () => {
  const { id } = await aMerchant(api.database)
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  const reader = api.as(user)
  const busy = await aMachine(api.database, id)
  const fresh = await aMachine(api.database, id)
  const sold = (of: TestMachine, number: string, value: number) =>
    aSale(api.database, of, { created_at: at(`${day(number)}T10:00:00Z`), value })
  for (const number of ['01', '08', '15', '22']) await sold(busy, number, 100)
  // The data begin before all compared days.
  const early = at(`${day('28')}T10:00:00Z`).getTime() - 40 * 86_400_000
  await aSale(api.database, busy, { created_at: new Date(early) })
  await sold(busy, '28', 300)
  await sold(busy, '28', 300)
  await sold(fresh, '28', 50)
  const query = { startDate: day('28'), endDate: day('28') }
  const of = async (compare?: 'previous' | 'usual') =>
    (
      await reader.statsByPos({ params: { merchantId: id }, query: { ...query, ...(compare && { compare }) } })
    ).items.map(({ posId, value, before }) => [posId, value, before?.value, before?.count])
  expect(await of()).toEqual([
    [busy.id, 600, undefined, undefined],
    [fresh.id, 50, undefined, undefined],
  ])
  await sold(busy, '27', 400)
  expect(await of('previous')).toEqual([
    [busy.id, 600, 400, 1],
    [fresh.id, 50, 0, 0],
  ])
  const order = { list: 'statsByPos', format: 'csv', language: 'en', columns: ['value', 'change'] }
  const body = { ...order, filter: { ...query, compare: 'previous' } }
  const file = await api.send('exportShown', { params: { merchantId: id }, body }, user)
  expect(parseCsv(file.rawPayload.toString('utf8')).map((row) => row.slice(0, 3))).toEqual([
    ['Value (EUR)', 'Value before (EUR)', 'Change (%)'],
    ['6.00', '4.00', '50.00'],
    ['0.50', '0.00', ''],
  ])
  // The same weekday of the last four weeks: 21, 14, 7 and the one before had no sales but one.
  await sold(busy, '21', 200)
  expect(await of('usual')).toEqual([
    [busy.id, 600, 50, 0.25],
    [fresh.id, 50, 0, 0],
  ])
})

test('beside another period, the machines that changed most can be first; any column sorts, in the list and its export', async () => {
  const { id } = await aMerchant(api.database)
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  const reader = api.as(user)
  const sell = async (name: string, before: number, now: readonly number[]) => {
    const seller = await aMachine(api.database, id, { name })
    const sold = (number: string, value: number) =>
      aSale(api.database, seller, { created_at: at(`${day(number)}T10:00:00Z`), value })
    await sold('20', 10)
    await sold('24', before)
    for (const value of now) await sold('25', value)
  }
  await sell('Steady', 900, [880])
  await sell('Fallen', 800, [100])
  await sell('Risen', 100, [200, 200])
  const query = { startDate: day('25'), endDate: day('25') }
  const compared = { ...query, compare: 'previous' as const }
  const namesOf = async (more: object) =>
    (await reader.statsByPos({ params: { merchantId: id }, query: { ...query, ...more } })).items.map(
      ({ posName }) => posName,
    )
  expect(await namesOf({ ...compared, ord: 'change' })).toEqual(['Fallen', 'Risen', 'Steady'])
  expect(await namesOf({ ...compared, ord: 'countChange', size: 1 })).toEqual(['Risen'])
  expect(await namesOf({ ord: 'change' })).toEqual(['Steady', 'Risen', 'Fallen'])
  expect(await namesOf({ ord: 'average', ordType: 'ASC' })).toEqual(['Fallen', 'Risen', 'Steady'])
  expect(await namesOf({ ord: 'serial' })).toEqual(await namesOf({ ord: 'serial', ordType: 'ASC' }))
  const order = { list: 'statsByPos', format: 'csv', language: 'en', columns: ['posName'], ord: 'change' }
  const file = await api.send('exportShown', { params: { merchantId: id }, body: { ...order, filter: compared } }, user)
  expect(parseCsv(file.rawPayload.toString('utf8')).map(([name]) => name)).toEqual([
    'Machine',
    'Fallen',
    'Risen',
    'Steady',
  ])
})

test('days before the data of the merchant or of the chosen machines begin are not compared', async () => {
  const { id } = await aMerchant(api.database)
  const reader = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
  const machine = await aMachine(api.database, id)
  const firstDay = async (query: object = {}) =>
    (await reader.dataBegins({ params: { merchantId: id }, query })).firstDay
  expect(await firstDay()).toBeNull()
  await api.database.admin('update machines set created_at = $2 where id = $1', [
    machine.id,
    at(`${day('01')}T00:00:00Z`),
  ])
  // Data begin on the 12th: of the last four same weekdays of the 28th, the 14th and the 21st have data.
  for (const [number, value] of [
    ['12', 900],
    ['14', 300],
    ['21', 100],
    ['28', 400],
  ] as const)
    await aSale(api.database, machine, { created_at: at(`${day(number)}T10:00:00Z`), value })
  expect(await firstDay()).toBe(day('12'))
  const period = { startDate: day('28'), endDate: day('28') }
  const before = async (compare: 'previous' | 'usual' | 'lastYear', more: object = {}) =>
    (await reader.statsByPos({ params: { merchantId: id }, query: { ...period, compare, ...more } })).items[0]?.before
      ?.value
  expect(await before('usual')).toBe(200)
  expect(await before('lastYear')).toBeUndefined()
  expect(await before('previous')).toBe(0)
  // The machine came on the 20th: one such day is left.
  await api.database.admin('update machines set created_at = $2 where id = $1', [
    machine.id,
    at(`${day('20')}T09:00:00Z`),
  ])
  expect(await firstDay({ posIds: [machine.id] })).toBe(day('20'))
  expect(await before('usual', { posIds: [machine.id] })).toBe(100)
})

describe('sold products', () => {
  const query = { startDate: day('20'), endDate: day('21') }

  beforeAll(async () => {
    const on = (number: string) => ({ created_at: at(`${day(number)}T10:00:00Z`) })
    for (const number of ['20', '20', '21']) await aSale(api.database, machine, { ...on(number), price_table: 1 })
    await aSale(api.database, machine, { ...on('21'), price_table: 2, media_type: 2, product: 'Tea' })
    await aSale(api.database, machine, { ...on('21'), product: null })
    // Nothing left the machine.
    await aSale(api.database, machine, { ...on('21'), type: 4, product: null, value: 1000 })
  })

  test('are grouped by product and by price list, best sellers first', async () => {
    const products = await admin.productsUsed({ params: params(), query })
    expect(products).toMatchObject([
      { product: 'Espresso', count: 3, value: 450, currency: 'EUR' },
      { product: null, count: 1 },
      { product: 'Tea', count: 1, value: 150 },
    ])
    const lists = await admin.priceTablesUsed({ params: params(), query })
    expect(lists).toMatchObject([
      { code: 1, count: 3 },
      { code: null, count: 1 },
      { code: 2, count: 1, value: 150 },
    ])
  })

  test('follow the filters of the other statistics', async () => {
    const ofKeys = await admin.productsUsed({ params: params(), query: { ...query, mediaTypes: [2] } })
    expect(ofKeys).toMatchObject([{ product: 'Tea', count: 1 }])
    const first = await admin.productsUsed({ params: params(), query: { ...query, endDate: query.startDate } })
    expect(first).toMatchObject([{ product: 'Espresso', count: 2 }])
    const other = await aMachine(api.database, merchantId)
    expect(await admin.productsUsed({ params: params(), query: { ...query, posIds: [other.id] } })).toEqual([])
  })

  test('are a filter of all statistics, by the name that users see', async () => {
    const mapped = await aProduct(api.database, merchantId, { name: 'Lemon tea' })
    const of = async (products: string[]) => {
      const request = { params: params(), query: { ...query, products } }
      const [{ totals, series }, hours, types, { items }] = await Promise.all([
        admin.statsOfPeriod({ ...request, query: { ...request.query, step: 'day' } }),
        admin.statsOfPeriod({ ...request, query: { ...request.query, step: 'hour' } }),
        admin.typesUsed(request),
        admin.statsByPos(request),
      ])
      const count = (rows: readonly { count: number }[]) => rows.reduce((sum, row) => sum + row.count, 0)
      return [totals, series, hours.series, types, items].map(count)
    }
    expect(await of(['Tea'])).toEqual([1, 1, 1, 1, 1])
    expect(await of(['Espresso', 'Tea'])).toEqual([4, 4, 4, 4, 4])
    await api.database.admin(
      'insert into product_codes (merchant_id, id, code, product_id, first_seen_at, seen_at_machine) values ($1, gen_random_uuid(), $2, $3, now(), $4)',
      [merchantId, 'Tea', mapped, machine.id],
    )
    expect(await of(['Tea'])).toEqual([0, 0, 0, 0, 0])
    expect(await of(['Lemon tea'])).toEqual([1, 1, 1, 1, 1])
    await api.database.admin('delete from product_codes where merchant_id = $1', [merchantId])
  })

  test('are the same from hourly sums as from daily sums', async () => {
    const answers = async () => [
      await admin.productsUsed({ params: params(), query }),
      await admin.priceTablesUsed({ params: params(), query }),
      await admin.statsOfPeriod({ params: params(), query: { ...query, products: ['Tea'] } }),
      await admin.typesUsed({ params: params(), query }),
      await admin.statsByPos({ params: params(), query }),
      await admin.statsOfPeriod({ params: params(), query: { ...query, step: 'hour' } }),
      await admin.statsOfPeriod({ params: params(), query: { ...query, step: 'day' } }),
      await admin.statsOfPeriod({ params: params(), query: { ...query, step: 'week' } }),
    ]
    const fromHours = await answers()
    expect(await sumUpDays(api.database, new Date())).toBeGreaterThan(0)
    expect(await answers()).toEqual(fromHours)
  })
})

describe('a list to which a figure leads', () => {
  const aShop = async () => {
    const shop = (await aMerchant(api.database)).id
    const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: shop, groups: 'all' }]))
    const list = async (query: { startDate: string; endDate: string; hours?: number[]; search?: string }) => {
      const { total, capped } = await user.listTransactions({
        params: { merchantId: shop },
        query: { ...query, size: 20 },
      })
      return { total, capped }
    }
    return { shop, list }
  }

  test('counts as many transactions as the sums, not up to a limit', async () => {
    const { shop, list } = await aShop()
    await aSale(api.database, await aMachine(api.database, shop), { created_at: at(`${day('06')}T10:00:00Z`) })
    await api.database.admin('update open_group_sales_hourly set count = 46224 where merchant_id = $1', [shop])
    expect(await list({ startDate: day('06'), endDate: day('06') })).toEqual({ total: 46_224, capped: false })
  })

  test('counts the rows of any period, where no sum has them', async () => {
    const { shop, list } = await aShop()
    const busy = await aMachine(api.database, shop)
    await api.database.admin(
      `insert into transactions (merchant_id, id, machine_id, created_at, saved_at, type, media_type, media_source, free_sale, error_sale,
         value, value_charge)
       select $1, gen_random_uuid(), $2, $3::timestamptz + number * interval '1 second', now(), 1, 1, 1, false, false, 100, 0
       from generate_series(1, 10500) number`,
      [shop, busy.id, at(`${day('07')}T08:00:00Z`)],
    )
    const hours = Array.from({ length: 24 }, (_, hour) => hour)
    for (const startDate of [day('01'), '2025-01-01'])
      expect(await list({ hours, startDate, endDate: day('28') })).toEqual({ total: 10_500, capped: false })
    // No figure leads to a search, whose count stops.
    expect(await list({ search: busy.serial, startDate: day('01'), endDate: day('28') })).toEqual({
      total: 10_000,
      capped: true,
    })
  })
})
