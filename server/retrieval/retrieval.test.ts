import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RetrievalType, retrievalTypes } from '#contract/vocabulary/insight/data-retrieval.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { type Retention, retentionDefaults } from '#domain/frame/retention.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCollection, aCommand, anAlarm, anAudit, aSale } from '#testkit/machines/machine-data.ts'
import { filesInZip } from '#testkit/zip.ts'
import type { Blobs } from '../files/blobs.ts'
import type { Message } from '../mail/mail.ts'
import { dropExpired } from '../worker/drop-expired.ts'
import { runRetrieval } from './run.ts'
import type { RetrievalServices } from './services.ts'
import { sweepRetrievals } from './sweep.ts'

let api: TestApi
const mails: Message[] = []
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

interface Shop {
  merchantId: string
  admin: TestUser & { id: string }
  machine: TestMachine
}
async function aShop(with_: Record<string, unknown> = {}): Promise<Shop> {
  const { id: merchantId } = await aMerchant(api.database, with_)
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  return { merchantId, admin, machine: await aMachine(api.database, merchantId) }
}

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const today = dayOf(new Date())
const services = (more: Partial<RetrievalServices> = {}): RetrievalServices => ({
  doors: api.database,
  blobs: api.blobs,
  log: pino({ level: 'silent' }),
  config: api.config,
  live: { announce: () => {} },
  mail: { send: async (message) => void mails.push(message) },
  ...more,
})

type Order = { dataType: RetrievalType; startDate: string; endDate: string; language: Language }
const request = ({ merchantId, admin }: Shop, order: Partial<Order> = {}) =>
  api.as(admin).createDataRetrievalRequest({
    params: { merchantId },
    body: { dataType: 'transactions', startDate: '2020-01-01', endDate: today, language: 'en', ...order },
  })
const find = ({ merchantId, admin }: Shop, id: string) =>
  api.as(admin).getDataRetrievalRequest({ params: { merchantId, dataRetrievalRequestId: id } })
const run = ({ merchantId }: Shop, id: string, more: Partial<RetrievalServices> = {}) =>
  runRetrieval(services(more), { merchantId, id }, { isLastTry: true })
const download = (link: string | null) => {
  const token = link?.split('/').at(-1) ?? ''
  return api.send('downloadHistoricalData', { params: { token } })
}
async function retrieved(shop: Shop, order: Partial<Order> = {}) {
  const { id } = await request(shop, order)
  await run(shop, id)
  const done = await find(shop, id)
  expect(done).toMatchObject({ status: 'completed', message: null })
  const answer = await download(done.link)
  expect(answer.statusCode).toBe(200)
  return { done, files: filesInZip(answer.rawPayload) }
}
const storedFiles = async (id: string) =>
  (await api.blobs.older('retrievals', new Date(Date.now() + 60_000))).filter((key) => key.includes(id))

/** Something of every kind at an instant. */
async function everything({ machine, merchantId }: Shop, at: Date) {
  const { database } = api
  const insert = (table: string, row: object) => {
    const names = Object.keys(row)
    return database.admin(
      `insert into ${table} (merchant_id, machine_id, ${names}) values ($1, $2, ${names.map((_, index) => `$${index + 3}`)})`,
      [merchantId, machine.id, ...Object.values(row)],
    )
  }
  await aSale(database, machine, {
    created_at: at,
    price_line: 12,
    lowers_line: true,
    lowers_total: '13',
    product: '=Cola "0"',
  })
  await anAudit(database, machine, {
    read_at: at,
    raw: Buffer.from('DXS*X*VA*V0/6*1\r\nST*001*0001\r\n\xff\0', 'latin1'),
  })
  await anAlarm(database, machine, { code: `E${at.getTime()}`, created_at: at })
  await aCommand(database, machine, {
    type: 5,
    status: 2,
    result: 0,
    created_at: at,
    started_at: at,
    executed_at: at,
    parameters: '{"amount":250}',
  })
  await aCollection(database, machine, { at })
  await insert('events', {
    id: randomUUID(),
    at,
    saved_at: at,
    code: 'ENE',
    active: true,
    message: 'One\nline; "more"',
  })
  await insert('cash_readings', {
    id: randomUUID(),
    at,
    saved_at: at,
    box: 12_345,
    tubes: '[{"value":50,"count":3}]',
    recyclers: '[]',
    accepted: '[]',
    rejected: '[]',
  })
  await insert('readings', {
    at,
    epoch: 1,
    seq: at.getTime(),
    saved_at: at,
    signal_percent: 71,
    temperature_celsius: -3.5,
  })
  await insert('sensor_readings', {
    submodule: 'coinValidator',
    name: 'entry',
    hour: at,
    minimum: 1,
    maximum: 2.25,
    value: 2,
  })
  await insert('stock_movements', {
    at,
    selection: '12',
    id: randomUUID(),
    kind: 'refill',
    amount: 5,
    epoch: 1,
    seq: 1,
  })
}

test('archived months give the same files as the database, with late rows in order', async () => {
  const shop = await aShop()
  const months = [dayAgo(260), dayAgo(230), dayAgo(200), dayAgo(3)]
  await api.database.admin('select ensure_partitions($1, now())', [months[0]])
  for (const month of months)
    for (const minutes of [50, 0, 25]) await everything(shop, new Date(month.getTime() + minutes * 60_000 + 123))
  const textsOf = async () => {
    const texts: Record<string, string> = {}
    for (const dataType of retrievalTypes) {
      const { done, files } = await retrieved(shop, { dataType })
      for (const { name, rows } of done.files) {
        expect([name, rows]).toEqual([name, name === 'stock-movements' ? 36 : 12])
        // What a collection had to contain is summed up from the sales in the database, as in its list.
        if (name !== 'cash-collections') texts[`${dataType}/${name}`] = files.get(`${name}.csv`) ?? ''
      }
      expect(done.rows).toBe(done.files.reduce((sum, { rows }) => sum + rows, 0))
      expect([...files.keys()]).toEqual(done.files.map(({ name }) => `${name}.csv`))
    }
    return texts
  }
  const before = await textsOf()
  expect(Object.keys(before)).toHaveLength(10)
  expect(before['transactions/transactions']).toContain(`"'=Cola ""0"""`)
  expect(before['auditsRaw/raw-audits']).toContain('"DXS*X*VA*V0/6*1\r\nST*001*0001\r\n\\377\\000"')
  const retention = Object.fromEntries(
    Object.keys(retentionDefaults).map((table) => [table, 5]),
  ) as unknown as Retention
  const drop = () => dropExpired({ doors: api.database, blobs: api.blobs }, retention, new Date())
  expect(await drop()).toMatchObject({ busy: [], failed: [] })
  const live = () => api.database.admin('select 1 from transactions where merchant_id = $1', [shop.merchantId])
  expect(await live()).toHaveLength(3)
  expect(await textsOf()).toEqual(before)

  // Rows of an archived month that arrive late: in the database, then in a second file.
  await api.database.admin('select ensure_partitions($1, $1)', [months[1]])
  const sale = (minutes: number) =>
    aSale(api.database, shop.machine, { created_at: new Date((months[1] as Date).getTime() + minutes * 60_000) })
  const timesOf = async () => {
    const { files } = await retrieved(shop)
    const [, ...lines] = (files.get('transactions.csv') ?? '').trim().split('\n')
    return lines.map((line) => /\d\d\/\d\d\/\d{4} [\d:]+/.exec(line)?.[0]?.replace(/(..)\/(..)\/(....)/, '$3-$2-$1'))
  }
  await sale(30)
  const late = await timesOf()
  expect(late).toHaveLength(13)
  expect(late).toEqual([...late].sort())
  await drop()
  expect(await timesOf()).toEqual(late)
  await api.database.admin('select ensure_partitions($1, $1)', [months[1]])
  await sale(40)
  expect(await timesOf()).toHaveLength(14)
}, 60_000)

describe('a range of days contains exactly the rows of the merchant’s days', () => {
  // In Rome the first of May starts at 22:00 UTC of 30 April.
  const edges = ['2026-04-30T21:59:59.999Z', '2026-05-02T22:00:00Z', '2026-03-10T12:00:00Z', '2026-06-10T12:00:00Z']
  const inside = ['2026-04-30T22:00:00Z', '2026-05-01T12:00:00Z', '2026-05-02T21:59:59.999Z']
  const days = { startDate: '2026-05-01', endDate: '2026-05-02' }
  let shop: Shop
  beforeAll(async () => {
    shop = await aShop()
    await api.database.admin(`select ensure_partitions('2026-03-01', '2026-06-30')`)
    for (const at of [...edges, ...inside]) await everything(shop, new Date(at))
  })

  test.each(
    retrievalTypes.flatMap((dataType) => (['en', 'de'] as const).map((language) => [dataType, language] as const)),
  )('%s in %s', async (dataType, language) => {
    const { done, files } = await retrieved(shop, { dataType, language, ...days })
    for (const { name, rows } of done.files) {
      // A sale of this test lowers two selections, and its refill one.
      expect([name, rows]).toEqual([name, name === 'stock-movements' ? 9 : 3])
      const text = files.get(`${name}.csv`) ?? ''
      const year = language === 'de' ? /\b(\d\d\.\d\d)\.2026\b/g : /\b(\d\d\/\d\d)\/2026\b/g
      const written = new Set([...text.matchAll(year)].map(([, day]) => day?.replace('/', '.')))
      expect([...written]).toEqual(expect.arrayContaining(['01.05', '02.05']))
      for (const outside of ['30.04', '03.05', '10.03', '10.06']) expect(written).not.toContain(outside)
    }
  })

  test('as many as in the list', async () => {
    const { done } = await retrieved(shop, days)
    const query = { params: { merchantId: shop.merchantId }, query: days }
    const by = api.as(shop.admin)
    const lists = {
      transactions: by.listTransactions(query),
      alarms: by.listAlarms(query),
      commands: by.listRemoteCommands(query),
      cash: by.listCashCollections(query),
    }
    expect(done.files).toEqual([{ name: 'transactions', rows: 3 }])
    for (const [name, list] of Object.entries(lists)) expect([name, (await list).total]).toEqual([name, 3])
  })
})

test('a range without data is completed with headings and 0 rows, and its owner gets one mail', async () => {
  const shop = await aShop()
  const { done, files } = await retrieved(shop)
  expect(done).toMatchObject({ rows: 0, files: [{ name: 'transactions', rows: 0 }], createdBy: expect.any(String) })
  expect(files.get('transactions.csv')).toMatch(/^\uFEFF[^\n]*Time[^\n]*\n$/)
  await run(shop, done.id)
  const sent = mails.filter(({ id }) => id === done.id)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.text).toContain('The file has 0 rows.')
})

test('a mail that cannot be sent is sent with the next try of the job', async () => {
  const shop = await aShop()
  const { id } = await request(shop)
  await expect(run(shop, id, { mail: { send: () => Promise.reject(new Error('SMTP is down')) } })).rejects.toThrow()
  expect(await find(shop, id)).toMatchObject({ status: 'completed' })
  await run(shop, id)
  expect(mails.filter((mail) => mail.id === id)).toHaveLength(1)
})

test('columns of features that the merchant lacks are left out, and types are refused', async () => {
  const shop = await aShop({ features: [] })
  await aSale(api.database, shop.machine, { product: 'Secret cola' })
  const { files } = await retrieved(shop)
  expect(files.get('transactions.csv')).not.toContain('cola')
  await expect(request(shop, { dataType: 'stockMovements' })).rejects.toMatchObject({ code: 'FeatureNotEnabled' })
})

describe('a request', () => {
  test('needs a range from its start to its end, not in the future; days after today are cut off', async () => {
    const shop = await aShop()
    const tomorrow = dayOf(dayAgo(-2))
    await expect(request(shop, { startDate: '2026-02-02', endDate: '2026-02-01' })).rejects.toMatchObject({
      code: 'PeriodReversed',
    })
    await expect(request(shop, { startDate: tomorrow, endDate: '9999-12-31' })).rejects.toMatchObject({
      code: 'PeriodInFuture',
    })
    await expect(request(shop, { startDate: '2026-02-30' })).rejects.toMatchObject({ code: 'ValidationFailed' })
    const { endDate } = await request(shop, { startDate: '0001-01-01', endDate: '9999-12-31' })
    expect([today, dayOf(new Date(Date.now() + 7_200_000))]).toContain(endDate)
    const [entry] = await api.database.admin(
      `select after from change_log where merchant_id = $1 and action = 'dataRetrievalRequest.create'`,
      [shop.merchantId],
    )
    expect(entry).toEqual({ after: { dataType: 'transactions', startDate: '0001-01-01', endDate } })
  })

  test('of everything is written', async () => {
    const shop = await aShop()
    await aSale(api.database, shop.machine)
    expect((await retrieved(shop, { startDate: '0001-01-01', endDate: '9999-12-31' })).done.rows).toBe(1)
  })

  test('is refused above the limit of the merchant, also when two arrive at once', async () => {
    const shop = await aShop()
    for (let count = 0; count < 4; count++) await request(shop)
    const results = await Promise.allSettled([request(shop), request(shop)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'TooManyDataRetrievalRequests', facts: { most: 5 } },
    })
    const other = await aShop()
    await request(other)
  })

  test('of a user who lost access ends with a message', async () => {
    const suspended = await aShop()
    const removed = await aShop()
    const ids = [(await request(suspended)).id, (await request(removed)).id] as const
    await api.database.admin(`update users set status = 'suspended' where id = $1`, [suspended.admin.id])
    await api.database.admin('delete from user_merchants where user_id = $1', [removed.admin.id])
    await run(suspended, ids[0])
    await run(removed, ids[1])
    const rows = await api.database.admin(
      'select status, message, blob from data_retrieval_requests where id = any($1)',
      [ids],
    )
    expect(rows).toEqual([1, 2].map(() => ({ status: 'error', message: 'accessLost', blob: null })))
  })

  test('that is deleted while it is written ends without a file', async () => {
    const shop = await aShop()
    await api.database.admin(
      `insert into transactions (merchant_id, created_at, id, machine_id, saved_at, type, media_type, media_source, free_sale, error_sale, value, value_charge)
       select $1, now() - n * interval '1 second', gen_random_uuid(), $2, now(), 1, 1, 1, false, false, 100, 0 from generate_series(1, 5000) n`,
      [shop.merchantId, shop.machine.id],
    )
    const { id } = await request(shop)
    let isDeleted = false
    const deleting: Blobs = {
      ...api.blobs,
      put: (key, content) =>
        api.blobs.put(
          key,
          (async function* () {
            for await (const part of content) {
              yield part
              if (isDeleted) continue
              isDeleted = true
              await api.as(shop.admin).deleteDataRetrievalRequest({
                params: { merchantId: shop.merchantId, dataRetrievalRequestId: id },
              })
            }
          })(),
        ),
    }
    await run(shop, id, { blobs: deleting })
    await expect(find(shop, id)).rejects.toMatchObject({ code: 'DataRetrievalRequestNotFound' })
    expect(await storedFiles(id)).toEqual([])
  })

  test('whose worker was taken for dead is written by the next one alone; no half file can be downloaded', async () => {
    const shop = await aShop()
    const { id } = await request(shop)
    const overtaken: Blobs = {
      ...api.blobs,
      put: async (key, content) => {
        const size = await api.blobs.put(key, content)
        expect(await find(shop, id)).toMatchObject({ status: 'created', link: null })
        if (key.endsWith('-1.zip')) await run(shop, id)
        return size
      },
    }
    await run(shop, id, { blobs: overtaken })
    expect(await find(shop, id)).toMatchObject({ status: 'completed' })
    expect(await storedFiles(id)).toEqual([`retrievals/${id}-2.zip`])
  })

  test('whose archive is damaged ends with a message', async () => {
    const shop = await aShop()
    await aSale(api.database, shop.machine)
    await api.database.admin(
      `insert into archived_months values ($1, 'transactions', '2026-01-01', 1, 'archive/missing.gz', 1, 1, repeat('0', 64), now(), now())`,
      [shop.merchantId],
    )
    const { id } = await request(shop)
    await run(shop, id)
    expect(await find(shop, id)).toMatchObject({ status: 'error', message: 'archiveDamaged', link: null })
    expect(await storedFiles(id)).toEqual([])
  })
})

test('a request whose worker died in its last try ends after two days, and does not count then', async () => {
  const shop = await aShop()
  const { id } = await request(shop)
  const { id: young } = await request(shop)
  await api.database.admin(
    `update data_retrieval_requests set attempt = 10, created_at = now() - interval '49 hours' where id = $1`,
    [id],
  )
  await sweepRetrievals(services(), new Date())
  expect(await find(shop, id)).toMatchObject({ status: 'error', message: 'failed', link: null })
  expect(await find(shop, young)).toMatchObject({ status: 'created' })
})

describe('a file', () => {
  test('expires: its link stops, then the worker deletes it', async () => {
    const shop = await aShop()
    const { done } = await retrieved(shop)
    await api.database.admin(`update data_retrieval_requests set expires_at = now() where id = $1`, [done.id])
    expect(await find(shop, done.id)).toMatchObject({ status: 'expired', link: null })
    expect((await download(done.link)).json()).toMatchObject({ status: 410, code: 'DataRetrievalRequestExpired' })
    await sweepRetrievals(services(), new Date())
    expect(await find(shop, done.id)).toMatchObject({ status: 'expired', link: null, rows: 0 })
    expect(await storedFiles(done.id)).toEqual([])
  })

  test('is deleted with its request', async () => {
    const shop = await aShop()
    const { done } = await retrieved(shop)
    await api.as(shop.admin).deleteDataRetrievalRequest({
      params: { merchantId: shop.merchantId, dataRetrievalRequestId: done.id },
    })
    await expect.poll(() => storedFiles(done.id)).toEqual([])
    expect((await download(done.link)).json()).toMatchObject({ code: 'DataRetrievalRequestNotFound' })
  })

  test('has a link for each reader, which ends with the rights of that reader', async () => {
    const shop = await aShop()
    const { done } = await retrieved(shop)
    const colleague = await aUser(api.database, 'merchantAdmin', [{ merchantId: shop.merchantId, groups: 'all' }])
    const { link } = await find({ ...shop, admin: colleague }, done.id)
    await api.database.admin(`update users set status = 'suspended' where id = $1`, [shop.admin.id])
    expect((await download(done.link)).statusCode).toBe(403)
    expect((await download(link)).statusCode).toBe(200)
    await api.database.admin(`update users set role = 'groupAdmin' where id = $1`, [colleague.id])
    expect((await download(link)).json()).toMatchObject({ code: 'DataRetrievalRequestNotFound' })
    expect((await download(`${link}x`)).json()).toMatchObject({ code: 'DataRetrievalRequestNotFound' })
  })
})
