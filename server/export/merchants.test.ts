import { parseCsv } from 'hucre/csv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnIdsOf } from '#contract/export/export-lists.ts'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let provider: TestUser
beforeAll(async () => {
  api = await openTestApi()
  provider = await aUser(api.database, 'superAdmin', [])
})
afterAll(() => api.close())

const orderOf = (more: Record<string, unknown> = {}) => ({
  list: 'merchants',
  format: 'csv',
  columns: columnIdsOf('merchants'),
  filter: {},
  language: 'en',
  ...more,
})
const send = (user: TestUser, merchantId: string, body: object) =>
  api.send('exportShown', { params: { merchantId }, body }, user)

async function rowsOf(body: object) {
  const answer = await send(provider, allMerchants, body)
  expect(answer.statusCode, answer.payload).toBe(200)
  const [head = [], ...rows] = parseCsv(answer.rawPayload.toString('utf8'))
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [String(name), String(row[at] ?? '')])))
}

test('merchants are exported with their features, as filtered and sorted', async () => {
  const word = `Word${Math.random()}`
  const made = async (name: string, columns: Record<string, unknown>) => {
    const { id } = await aMerchant(api.database, { name: `${name} ${word}`, features: ['vending'], ...columns })
    return id
  }
  const mexican = await made('Bebidas', { time_zone: 'America/Mexico_City', currency: 'MXN', country: 'MX' })
  const demo = await made('=Acqua', {})
  await api.database.admin(`update merchants set is_demo = true, demo_expires_on = '2031-02-03' where id = $1`, [demo])
  await aMachine(api.database, mexican)
  const rows = await rowsOf(orderOf({ filter: { search: word }, ord: 'name', ordType: 'DESC' }))
  expect(rows).toEqual([
    expect.objectContaining({
      Merchant: `Bebidas ${word}`,
      'Time zone': 'America/Mexico_City',
      Demo: 'No',
      'Demo ends on': '',
      Country: 'MX',
      Currency: 'MXN',
      Vending: 'Yes',
      Stock: 'No',
      Machines: '1',
      ID: mexican,
    }),
    expect.objectContaining({
      Merchant: `'=Acqua ${word}`,
      Demo: 'Yes',
      'Demo ends on': '2031-02-03',
      Machines: '0',
      ID: demo,
    }),
  ])
  const demos = await rowsOf(orderOf({ filter: { search: word, isDemo: 'true' }, columns: ['name'] }))
  expect(demos).toEqual([{ Merchant: `'=Acqua ${word}` }])
})

test('only the provider can export merchants', async () => {
  const { id } = await aMerchant(api.database)
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  for (const merchantId of [id, allMerchants])
    expect((await send(admin, merchantId, orderOf())).json()).toMatchObject({ code: 'Forbidden' })
})

test.each(languages)('every column has a heading in %s', async (language) => {
  await aMerchant(api.database)
  const [row = {}] = await rowsOf(orderOf({ language }))
  const single = columnIdsOf('merchants').length - 2
  expect(Object.keys(row)).toHaveLength(single + 1 + features.length + productFamilies.length)
  for (const heading of Object.keys(row)) expect(heading).not.toMatch(/^$|^column\.|^field\.|[:]/)
})
