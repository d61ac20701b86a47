// Over 450 lines because the tests of all lists share a few helpers.
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportOrder } from '#contract/export/export.ts'
import { columnIdsOf, type ExportList, exportLists, isOfMachine } from '#contract/export/export-lists.ts'
import { groupsHeader } from '#contract/frame/group-lens.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import { aRecord, nounOfList } from '#testkit/access/record-samples.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aChange } from '#testkit/changes.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import {
  aCollection,
  aCommand,
  aConfiguration,
  aKpiDay,
  aNote,
  anAlarm,
  anAudit,
  aPlannedPrice,
  aPrice,
  aPriceChange,
  aSale,
  aStock,
  aSupply,
} from '#testkit/machines/machine-data.ts'
import { aMedia, aRefund } from '#testkit/nouns/cashless.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'
import { aDataRetrieval } from '#testkit/nouns/data-retrieval.ts'
import { aClaim } from '#testkit/nouns/key-portal.ts'
import { aVisit } from '#testkit/nouns/rounds.ts'
import { aWhitelistEntry } from '#testkit/nouns/screens.ts'
import { aPieceLoss } from '#testkit/nouns/warehouse.ts'
import { aPaymentConfig, aPaymentOrder, aPaymentService } from '#testkit/nouns/web-payments.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ EXPORT_MAX_RESULTS: '5' })
})
afterAll(() => api.close())

const today = new Date().toISOString().slice(0, 10)
const longAgo = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10)
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const period = { startDate: longAgo, endDate: tomorrow }
/** A day that is over in every time zone; all machines were created before it. */
const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
const ofOld = { created_at: new Date(longAgo) }

/** Sees licences, too. */
const licensed = { allowLicensing: true }

interface Shop {
  merchantId: string
  user: TestUser
  machine: TestMachine
}

/** A merchant of the test's own with a machine that has one row in every list. */
async function aShop(with_: Record<string, unknown> = {}): Promise<Shop> {
  const { database } = api
  const { id } = await aMerchant(database, with_)
  const groupId = await aGroup(database, id)
  const columns = { ...ofOld, address: 'Via Appia 1', cash_in_box: 12_345 }
  const machine = await aMachine(database, id, { groupId, columns })
  const user = await aUser(database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }], licensed)
  return { merchantId: id, user, machine }
}

type AnyOrder = { list: ExportList } & Record<string, unknown>
const filters: Partial<Record<ExportList, unknown>> = {
  transactions: period,
  statsByPos: period,
  reconciledDays: { startDate: day, endDate: day },
}
const orderOf = (list: ExportList, more: Record<string, unknown> = {}): AnyOrder => ({
  list,
  format: 'csv',
  columns: columnIdsOf(list),
  filter: filters[list] ?? {},
  language: 'en',
  ...more,
})

const send = (user: TestUser, merchantId: string, body: AnyOrder) =>
  api.send('exportShown', { params: { merchantId }, body }, user)

async function csvOf(user: TestUser, merchantId: string, body: AnyOrder) {
  const answer = await send(user, merchantId, body)
  expect(answer.statusCode, answer.payload).toBe(200)
  return answer.rawPayload.toString('utf8')
}

/** Reads RFC 4180 independently of our writer: doubled quotes, lines end with CR LF outside quotes. */
function parsed(text: string, separator = ','): string[][] {
  expect(text.startsWith('\uFEFF')).toBe(true)
  const rows: string[][] = [[]]
  let field = ''
  let isQuoted = false
  const body = text.slice(1)
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at] as string
    if (isQuoted) {
      if (sign !== '"') field += sign
      else if (body[at + 1] === '"') {
        field += '"'
        at += 1
      } else isQuoted = false
    } else if (sign === '"') isQuoted = true
    else if (sign === separator) {
      rows.at(-1)?.push(field)
      field = ''
    } else if (sign === '\n') {
      rows.at(-1)?.push(field)
      field = ''
      rows.push([])
    } else field += sign
  }
  expect(rows.pop()).toEqual([])
  return rows
}

/** Rows by their headings. */
function table(text: string, separator = ','): Record<string, string>[] {
  const [head = [], ...rows] = parsed(text, separator)
  for (const row of rows) expect(row).toHaveLength(head.length)
  return rows.map((row) => Object.fromEntries(row.map((value, index) => [head[index], value])))
}

async function sheetOf(user: TestUser, merchantId: string, body: AnyOrder) {
  const answer = await send(user, merchantId, { ...body, format: 'xlsx' })
  expect(answer.statusCode, answer.payload).toBe(200)
  const { sheets } = await readXlsx(new Uint8Array(answer.rawPayload))
  expect(sheets).toHaveLength(1)
  return sheets[0]?.rows ?? []
}

/** Creates something for every list of a machine, and a record for a list of records. */
async function everythingHappens({ machine, merchantId, user }: Shop, list?: ExportList) {
  const { database } = api
  const noun = list && nounOfList(list)
  if (noun) await aRecord(api, user, noun, { merchantId, ...(noun === 'licence' && { posId: machine.id }) })
  if (list === 'screenWhitelist') await aWhitelistEntry(database, merchantId, machine.serial)
  if (list === 'webPaymentOrders') {
    const serviceId = await aPaymentService(database)
    const configId = await aPaymentConfig(database, merchantId, serviceId)
    await aPaymentOrder(database, { merchantId, configId, serviceId })
  }
  if (list === 'dataRetrievalRequests') {
    await aDataRetrieval(api, await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }]), merchantId)
    await database.admin(`update data_retrieval_requests set status = 'error', message = 'failed', blob = null`)
  }
  await anAlarm(database, machine, { message: 'Full', code: 'ENE' })
  await aSale(database, machine)
  await anAudit(database, machine, { sales_total: 123_456, vends_total: 7 })
  await aCommand(database, machine, { type: 5, parameters: '{"amount":250}' })
  await aNote(database, machine, user.subject)
  await aStock(database, machine)
  await aSupply(database, machine)
  await aVisit(database, machine)
  if (list === 'pieceLosses') await aPieceLoss(database, merchantId, await aProduct(database, merchantId))
  await aPrice(database, machine, { wanted: 160, wanted_at: new Date(), wrong_since: new Date() })
  await aPriceChange(database, machine)
  await aPlannedPrice(database, machine)
  await aKpiDay(database, machine)
  await aCollection(database, machine, { bag_number: 'B-1' })
  await aRefund(database, merchantId, await aMedia(database, merchantId))
  await aClaim(database, machine)
  await aConfiguration(database, machine)
  await aChange(database, machine.merchantId, { after: JSON.stringify({ name: '=1+1' }) })
}

/** Excludes the provider's lists, which no merchant's admin may export. Users, merchants, pick lists and what to buy have their own tests. */
const special: readonly ExportList[] = [
  'roundLoads',
  'roundProducts',
  'productsToBuy',
  'machinesReport',
  'users',
  'usersOfAll',
  'merchants',
  'sapCodes',
  'deadLetters',
  'providerLog',
  'alarmSettings',
  'masterAlarms',
  'sensors',
  'sensorThresholds',
]
const lists = (Object.keys(exportLists) as ExportList[]).filter((list) => !special.includes(list))

/** Records and the log are the merchant's as a whole; groups and merchants name no machines. */
const isNameless = (list: ExportList) =>
  nounOfList(list) !== undefined ||
  [
    'changeLog',
    'groups',
    'merchantsDashboard',
    'medias',
    'refunds',
    'screenWhitelist',
    'webPaymentOrders',
    'dataRetrievalRequests',
    'pieceLosses',
  ].includes(list)

/** Its rows count machines and name none. */
const countsMachines = (list: ExportList) => list === 'pricePlans'

describe.each(lists)('%s', (list) => {
  const ofMachine = (shop: Shop) => (isOfMachine(list) ? { posId: shop.machine.id } : {})

  test.each(languages)(
    'in %s: both formats contain one row with all columns, each with a heading',
    async (language) => {
      const shop = await aShop()
      await everythingHappens(shop, list)
      const body = orderOf(list, { language, ...ofMachine(shop) })
      const [head = [], ...rows] = parsed(await csvOf(shop.user, shop.merchantId, body), language === 'en' ? ',' : ';')
      expect(rows).toHaveLength(1)
      expect(rows[0]).toHaveLength(head.length)
      expect(new Set(head).size).toBeGreaterThan(columnIdsOf(list).length - 3)
      for (const heading of head) expect(heading).not.toMatch(/^$|^column\.|^fact\.|[:]/)
      const [cellHead = [], ...cellRows] = await sheetOf(shop.user, shop.merchantId, body)
      expect(cellHead).toEqual(head)
      expect(cellRows).toHaveLength(1)
    },
  )

  test('under all merchants each row names its merchant, currency and time zone', async () => {
    const one = await aShop()
    const other = await aShop({ time_zone: 'America/Mexico_City', currency: 'MXN', name: `Otro ${Math.random()}` })
    const both = [one, other].map(({ merchantId }) => ({ merchantId, groups: 'all' as const }))
    const user = await aUser(api.database, 'merchantAdmin', both, licensed)
    for (const shop of [one, other]) await everythingHappens({ ...shop, user }, list)
    const rows = table(await csvOf(user, allMerchants, orderOf(list, ofMachine(other))))
    expect(rows).toHaveLength(isOfMachine(list) ? 1 : 2)
    const mexican = rows.find((row) => row.Merchant?.startsWith('Otro'))
    expect(mexican).toBeDefined()
    if (mexican?.Currency !== undefined) expect(mexican.Currency).toBe('MXN')
    if (mexican && 'Time zone' in mexican) expect(mexican['Time zone']).toBe('America/Mexico_City')
    if (list === 'transactions') {
      expect(mexican).toMatchObject({ Value: '1.50', Currency: 'MXN', 'Time zone': 'America/Mexico_City' })
      expect(rows.map((row) => row.Currency).sort()).toEqual(['EUR', 'MXN'])
    }
  })
})

describe('content of a file', () => {
  test('an audit in another currency has that currency in its row, and no heading names a currency', async () => {
    const shop = await aShop()
    await anAudit(api.database, shop.machine, { sales_total: 123_456, currency: 'USD' })
    await anAudit(api.database, shop.machine, { sales_total: 654_321, sha256: Buffer.alloc(32, 1) })
    const rows = table(
      await csvOf(shop.user, shop.merchantId, orderOf('audits', { columns: ['salesTotal'], posId: shop.machine.id })),
    )
    const written = rows.map((row) => [row.Sales, row.Currency])
    expect(written.toSorted()).toEqual([
      ['1234.56', 'USD'],
      ['6543.21', 'EUR'],
    ])
  })

  const at = (instant: string) => ({ created_at: new Date(instant) })
  const sales = (shop: Shop, columns: ExportOrder['columns'], more: Record<string, unknown> = {}) =>
    orderOf('transactions', { columns, ...more, filter: { ...period, posIds: [shop.machine.id] } })

  const hostile = [
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['"=1+1"', '\'"=1+1"'],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['a,=1', 'a,=1'],
    ['a;=1', 'a;=1'],
    ['say "hi"', 'say "hi"'],
    ['two\nlines', 'two\nlines'],
    ['two\r\nlines', 'two\r\nlines'],
    ['قهوة', 'قهوة'],
    ['☕️👩🏽‍🍳', '☕️👩🏽‍🍳'],
    ['Coca-Cola 0,33 l', 'Coca-Cola 0,33 l'],
    ['', ''],
  ] as const

  test.each(hostile)('the text %j is harmless in CSV and unchanged in a workbook', async (product, written) => {
    const shop = await aShop()
    await aSale(api.database, shop.machine, { product, value: -1, media_serial: '-1' })
    for (const language of ['en', 'de'] as const) {
      const body = sales(shop, ['product', 'serial', 'value'] as never, { language })
      const text = await csvOf(shop.user, shop.merchantId, body)
      const [, row] = parsed(text, language === 'en' ? ',' : ';')
      // Numbers are not changed to text: the amount −1 is a number.
      expect(row).toEqual([written, '', "'-1", language === 'en' ? '-0.01' : '-0,01'])
    }
    const [, row] = await sheetOf(shop.user, shop.merchantId, sales(shop, ['product', 'serial', 'value'] as never))
    expect(row?.[3]).toBe(-0.01)
    expect(row?.[0] ?? '').toBe(product)
    expect(row?.[2]).toBe('-1')
  })

  test('times are in the merchant’s local time, before and after a clock change', async () => {
    const shop = await aShop()
    const year = new Date().getUTCFullYear()
    // The last Sunday of October: at 01:00 UTC, clocks in Rome change from 03:00 to 02:00.
    const sunday = new Date(Date.UTC(year, 9, 31))
    sunday.setUTCDate(31 - sunday.getUTCDay())
    const day = sunday.toISOString().slice(0, 10)
    await api.database.admin(`select ensure_partitions($1::timestamptz, $1::timestamptz)`, [`${day}T00:00:00Z`])
    await aSale(api.database, shop.machine, at(`${day}T00:59:59.900Z`))
    await aSale(api.database, shop.machine, at(`${day}T01:00:00Z`))
    await aSale(api.database, shop.machine, at(`${day}T02:30:00Z`))
    const filter = { startDate: day, endDate: day }
    const [y, m, d] = day.split('-')
    const body = orderOf('transactions', { columns: ['createdAt'], filter, ordType: 'ASC' })
    const [head, ...rows] = parsed(await csvOf(shop.user, shop.merchantId, body))
    expect(head).toEqual(['Time (Europe/Rome)'])
    expect(rows.flat()).toEqual([`${d}/${m}/${y} 02:59:59`, `${d}/${m}/${y} 02:00:00`, `${d}/${m}/${y} 03:30:00`])
    const german = parsed(await csvOf(shop.user, shop.merchantId, { ...body, language: 'de' }), ';')
    expect(german[1]).toEqual([`${d}.${m}.${y} 02:59:59`])
    const cells = await sheetOf(shop.user, shop.merchantId, body)
    const clock = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 19) : String(value))
    expect(cells.slice(1).map(([value]) => clock(value))).toEqual([
      `${day}T02:59:59`,
      `${day}T02:00:00`,
      `${day}T03:30:00`,
    ])
  })

  test('amounts have exactly the digits of their currency', async () => {
    const amounts = [0, 5, 150, -7, -150, 1_234_567]
    const chile = await aShop({ currency: 'CLP', time_zone: 'America/Santiago' })
    const rome = await aShop()
    const inEnglish = ['0.00', '0.05', '1.50', '-0.07', '-1.50', '12345.67']
    for (const [shop, expected] of [
      [rome, inEnglish],
      [chile, amounts.map(String)],
    ] as const) {
      const shownAmounts: string[] = []
      for (const value of amounts) {
        await aSale(api.database, shop.machine, { value, type: 17 })
        const body = sales(shop, ['value'] as never)
        shownAmounts.push(parsed(await csvOf(shop.user, shop.merchantId, body))[1]?.[0] ?? '')
        await api.database.admin('delete from transactions where merchant_id = $1', [shop.merchantId])
      }
      expect(shownAmounts).toEqual(expected)
    }
  })

  test('amounts of a workbook are numbers with a format of their currency', async () => {
    for (const [set, format, value] of [
      [{}, '#,##0.00', 12.5],
      [{ currency: 'CLP', time_zone: 'America/Santiago' }, '#,##0', 1250],
    ] as const) {
      const shop = await aShop(set)
      await aSale(api.database, shop.machine, { value: 1250 })
      const body = { ...sales(shop, ['value'] as never), format: 'xlsx' } as AnyOrder
      const { rawPayload } = await send(shop.user, shop.merchantId, body)
      const { sheets } = await readXlsx(new Uint8Array(rawPayload), { readStyles: true })
      const cell = sheets[0]?.cells?.get('1,0')
      expect([cell?.value, cell?.style?.numFmt]).toEqual([value, format])
    }
  })

  test('missing values are empty, and an unknown code is shown unchanged', async () => {
    const shop = await aShop()
    await aSale(api.database, shop.machine, { type: 99, price_table: null, price_line: null, saved_at: '0001-01-01' })
    const [row] = table(await csvOf(shop.user, shop.merchantId, sales(shop, ['type', 'price', 'savedAt'] as never)))
    expect(row).toEqual({ Type: 'Code 99', 'Price line': '', 'Price list': '', 'Stored (Europe/Rome)': '' })
  })
})

describe('rows of a file', () => {
  test('the file has no more rows than configured, in the requested order', async () => {
    const shop = await aShop()
    for (let minute = 0; minute < 8; minute += 1)
      await aSale(api.database, shop.machine, {
        created_at: new Date(Date.now() - 60_000 * (minute + 1)),
        product: `P${minute}`,
      })
    const body = (ordType: 'ASC' | 'DESC') => orderOf('transactions', { columns: ['product'], ordType })
    const products = async (ordType: 'ASC' | 'DESC') =>
      parsed(await csvOf(shop.user, shop.merchantId, body(ordType)))
        .slice(1)
        .map(([product]) => product)
    expect(await products('DESC')).toEqual(['P0', 'P1', 'P2', 'P3', 'P4'])
    expect(await products('ASC')).toEqual(['P7', 'P6', 'P5', 'P4', 'P3'])
    expect((await sheetOf(shop.user, shop.merchantId, body('ASC'))).length).toBe(6)
  })

  test('a group admin’s file contains only machines of their groups', async () => {
    const { database } = api
    const shop = await aShop()
    const groupId = await aGroup(database, shop.merchantId)
    const other = await aMachine(database, shop.merchantId, { groupId, columns: ofOld })
    const admin = await aUser(database, 'groupAdmin', [
      { merchantId: shop.merchantId, groups: [shop.machine.groupId as string] },
    ])
    await everythingHappens(shop)
    await everythingHappens({ ...shop, machine: other })
    for (const list of lists.filter((one) => !isNameless(one))) {
      if (isOfMachine(list)) {
        const answer = await send(admin, shop.merchantId, orderOf(list, { posId: other.id }))
        expect(answer.json()).toMatchObject({ code: 'MachineNotFound' })
        continue
      }
      expect(table(await csvOf(shop.user, shop.merchantId, orderOf(list))), list).toHaveLength(2)
      const text = await csvOf(admin, shop.merchantId, orderOf(list))
      expect(table(text), list).toHaveLength(1)
      if (!countsMachines(list)) expect(text).toContain(shop.machine.name)
      expect(text).not.toContain(other.name)
    }
  })

  const bad: [string, Record<string, unknown>][] = [
    ['no columns', { columns: [] }],
    ['a column that the list has not', { columns: ['name', 'password'] }],
    ['a column twice', { columns: ['name', 'name'] }],
    ['another format', { format: 'exe' }],
    ['another language', { language: 'xx' }],
    ['a sort that the list has not', { ord: 'password' }],
    ['a filter that the list has not', { filter: { password: 'x' } }],
    ['a field that no order has', { limit: 5 }],
    ['a machine where the list is of all', { posId: '00000000-0000-4000-8000-000000000000' }],
    ['another list', { list: 'keys' }],
  ]
  test.each(bad)('refuses %s', async (_, wrong) => {
    const shop = await aShop()
    const answer = await send(shop.user, shop.merchantId, { ...orderOf('machines'), ...wrong } as AnyOrder)
    expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
  })

  test('a period that ends before its start, and groups of other users, are refused', async () => {
    const shop = await aShop()
    const stranger = await aShop()
    const reversed = orderOf('transactions', { filter: { startDate: today, endDate: longAgo } })
    expect((await send(shop.user, shop.merchantId, reversed)).json()).toMatchObject({ code: 'PeriodReversed' })
    const foreign = orderOf('machines', { filter: { groupIds: [stranger.machine.groupId] } })
    expect((await send(shop.user, shop.merchantId, foreign)).json()).toMatchObject({ code: 'GroupNotFound' })
  })

  test('the file has a name and a type, and leaves no temporary data', async () => {
    const shop = await aShop()
    const { headers } = await send(shop.user, shop.merchantId, orderOf('machines'))
    expect(headers['content-disposition']).toMatch(/^attachment; filename="Machines \d{4}-\d\d-\d\d \d\d\.\d\d\.csv"$/)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    await expect.poll(() => api.blobs.older('shown', new Date(Date.now() + 60_000))).toEqual([])
  })
})

test('each language has its own separator and decimal mark', async () => {
  const shop = await aShop()
  await aSale(api.database, shop.machine)
  const lines: Partial<Record<Language, string>> = {}
  for (const language of languages) {
    const body = orderOf('transactions', { columns: ['type', 'value'], language })
    lines[language] = (await csvOf(shop.user, shop.merchantId, body)).split('\n')[1]
  }
  expect(lines).toMatchObject({ en: 'Sale,1.50', it: 'Vendita;1,50', de: 'Verkauf;1,50', fr: 'Vente;1,50' })
})

test('a log file of some selected groups has the rows of the list', async () => {
  const { merchantId, machine, user } = await aShop()
  const other = await aMachine(api.database, merchantId, { groupId: await aGroup(api.database, merchantId) })
  const groups = [machine.groupId ?? '']
  for (const { id, name } of [machine, other])
    await aChange(api.database, merchantId, { subject_id: id, after: JSON.stringify({ name }) })
  const userUpdate = { subject_type: 'user', action: 'user.update' }
  await aChange(api.database, merchantId, { ...userUpdate, subject_id: 'Seen', after: JSON.stringify({ groups }) })
  await aChange(api.database, merchantId, {
    ...userUpdate,
    subject_id: 'Not seen',
    after: JSON.stringify({ groups: 'all' }),
  })
  const order = { params: { merchantId }, body: orderOf('changeLog'), headers: { [groupsHeader]: groups.join() } }
  const file = (await api.send('exportShown', order, user)).rawPayload.toString('utf8')
  expect(
    table(file)
      .map((row) => row['Object ID'])
      .toSorted(),
  ).toEqual([machine.id, 'Seen'].toSorted())
  for (const hidden of [other.id, other.name, 'Not seen']) expect(file).not.toContain(hidden)
})

test('a log file describes actions in words, without names of users hidden from merchants', async () => {
  const shop = await aShop()
  const hidden = await aUser(api.database, 'merchantAdmin', [{ merchantId: shop.merchantId, groups: 'all' }])
  await api.database.admin('update users set invisible_to_merchants = true where id = $1', [hidden.id])
  await aChange(api.database, shop.merchantId, { user_id: hidden.id, user_name: hidden.email })
  await aChange(api.database, shop.merchantId, { subject_type: 'user', subject_id: hidden.id })
  const rows = table(await csvOf(shop.user, shop.merchantId, orderOf('changeLog')))
  expect(rows).toMatchObject([{ Action: 'Machine changed', 'Object type': 'Machine', User: '' }])
  expect(JSON.stringify(rows)).not.toContain(hidden.id)
})
