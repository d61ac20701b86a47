import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { columnIdsOf, type ExportList, exportLists } from '#contract/export/export-lists.ts'
import { type AnyEndpoint, isOfKiosk } from '#contract/frame/endpoint.ts'
import { featureOfColumn, type Gates, gatesOf } from '#contract/frame/of-feature.ts'
import { features } from '#contract/vocabulary/feature.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import { samples } from '#testkit/access/access-samples.ts'
import type { Aim } from '#testkit/access/aim.ts'
import { type AnyInput, openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import { aKiosk, shownBy } from '#testkit/nouns/kiosks.ts'

/*
 * Every row of the contract × every field of a feature, with the feature on and off. A new field is tested as soon as it is
 * declared.
 */

let api: TestApi
let admin: TestUser
let ownAim: Aim
let display: string

beforeAll(async () => {
  api = await openTestApi({ DEMO: 'true' })
  const aims = await accessAims(api)
  ownAim = aims.ownAim
  admin = aims.users.merchantAdmin
  const creatorId = aims.users.merchantAdmin.id
  display = (await aKiosk(api.database, ownAim.merchantId, { creatorId })).secret
})
afterAll(() => api.close())

const turn = (on: readonly string[]) =>
  api.database.admin('update merchant_features set features = $2 where merchant_id = $1', [ownAim.merchantId, on])

/** Paths of declared fields: `items.signalPercent`. */
const pathsOf = (gates: Gates): string[] =>
  [...gates].flatMap(([name, { feature, within }]) => [
    ...(feature ? [name] : []),
    ...(within ? pathsOf(within).map((path) => `${name}.${path}`) : []),
  ])

/** The values of an answer at a path, over all items of lists on the way. */
function valuesAt(value: unknown, path: string): unknown[] {
  const [name = '', ...rest] = path === '' ? [] : path.split('.')
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path))
  if (path === '') return [value]
  const fieldValue = (value as Record<string, unknown> | null)?.[name]
  return fieldValue === undefined ? [] : valuesAt(fieldValue, rest.join('.'))
}

/** A value that a schema accepts. */
const valueFor = (schema: z.ZodType) =>
  ['true', randomUUID(), 1, 'A', [], null, 'immediate'].find((value) => schema.safeParse(value).success)

const rows = (Object.keys(endpoints) as EndpointName[]).map((name) => ({
  name,
  row: endpoints[name] as unknown as AnyEndpoint,
}))
const declaring = (part: 'ok' | 'query' | 'body') =>
  rows.flatMap(({ name, row }) => pathsOf(gatesOf(row[part])).map((path) => ({ name, path })))

const answers = declaring('ok').filter(({ name }) => endpoints[name].method === 'GET')
const filters = declaring('query')
const bodies = declaring('body')
const sorted = rows.flatMap(({ name, row }) =>
  ordsOf(row).flatMap((ord) => (featureOfColumn(row, ord) ? [{ name, path: ord }] : [])),
)
function ordsOf({ query }: AnyEndpoint): string[] {
  const ord = (query as z.ZodObject | undefined)?.shape?.ord as z.ZodOptional<z.ZodEnum> | undefined
  return (ord?.unwrap().options ?? []) as string[]
}

test('the contract declares answers, filters, bodies and sort orders of features', () => {
  expect(answers).toContainEqual({ name: 'listMachines', path: 'items.signalPercent' })
  expect(filters).toContainEqual({ name: 'listMachines', path: 'soldOut' })
  expect(bodies).toContainEqual({ name: 'updateMerchantSettings', path: 'minimumSignalPercent' })
  expect(bodies).toContainEqual({ name: 'exportShown', path: 'filter.soldOut' })
  expect(sorted).toContainEqual({ name: 'listMachines', path: 'signalPercent' })
})

describe.each(['on', 'off'] as const)('with every feature %s', (state) => {
  const isOn = state === 'on'
  beforeAll(() => turn(isOn ? features : []))
  const send = (name: EndpointName, input: AnyInput) =>
    isOfKiosk(endpoints[name] as unknown as AnyEndpoint)
      ? api.send(name, { ...input, headers: shownBy(display) })
      : api.send(name, input, admin)

  test.each(answers)(`$name answers ${isOn ? 'with' : 'without'} $path`, async ({ name, path }) => {
    const { statusCode, json } = await send(name, samples[name].input(ownAim))
    // A row whose endpoint belongs to a feature is refused as a whole.
    if (!isOn && endpoints[name].feature) return expect(statusCode).toBe(403)
    expect(statusCode).toBe(200)
    // The parent of the field exists in both cases.
    const holders = valuesAt(json(), path.split('.').slice(0, -1).join('.')) as object[]
    expect(holders.length).toBeGreaterThan(0)
    const field = path.split('.').at(-1) as string
    expect(holders.filter((holder) => field in holder)).toHaveLength(isOn ? holders.length : 0)
  })

  const refused = async (name: EndpointName, input: AnyInput) => {
    const answer = await send(name, input)
    const code = answer.headers['content-type']?.toString().includes('json') ? answer.json().code : undefined
    if (isOn) expect(['FeatureNotEnabled', 'ValidationFailed']).not.toContain(code)
    else expect(answer.statusCode, answer.payload).toBe(403)
    if (!isOn) expect(code).toBe('FeatureNotEnabled')
  }

  test.each(filters)(`$name ${isOn ? 'takes' : 'refuses'} the filter $path`, async ({ name, path }) => {
    const input = samples[name].input(ownAim)
    const field = (endpoints[name].query as unknown as z.ZodObject).shape[path] as z.ZodType
    await refused(name, { ...input, query: { ...(input.query as object), [path]: valueFor(field) } })
  })

  test.each(sorted)(`$name ${isOn ? 'takes' : 'refuses'} the sort order $path`, async ({ name, path }) => {
    const input = samples[name].input(ownAim)
    await refused(name, { ...input, query: { ...(input.query as object), ord: path } })
  })

  test.each(bodies)(`$name ${isOn ? 'takes' : 'refuses'} $path in its body`, async ({ name, path }) => {
    const input = samples[name].input(ownAim)
    await refused(name, { ...input, body: bodyWith(name, input.body as Record<string, unknown>, path) })
  })

  const presented = (Object.keys(exportLists) as ExportList[]).flatMap((list) => {
    const { row, ords } = exportLists[list]
    const columns = columnIdsOf(list)
    const columnsOf = columns.flatMap((column) =>
      featureOfColumn(row, column) ? [{ list, column, ord: undefined }] : [],
    )
    const ordsOfList = ords.flatMap((ord) => (featureOfColumn(row, ord) ? [{ list, column: columns[0], ord }] : []))
    return [...columnsOf, ...ordsOfList]
  })
  test.each(presented)(
    `a file of $list ${isOn ? 'has' : 'lacks'} $column sorted by $ord`,
    async ({ list, column, ord }) => {
      const order = {
        list,
        format: 'csv',
        language: 'en',
        columns: [column],
        filter: filterOf(list),
        ...(ord && { ord }),
      }
      await refused('exportShown', { params: { merchantId: ownAim.merchantId }, body: order })
    },
  )
  test('files have columns of features', () => expect(presented.length).toBeGreaterThan(5))
})

const today = new Date().toISOString().slice(0, 10)
const filterOf = (list: ExportList) => (list === 'transactions' ? { startDate: today, endDate: today } : {})

/** A body whose only field of a feature is at a path. */
function bodyWith(name: EndpointName, body: Record<string, unknown>, path: string): Record<string, unknown> {
  const gates = gatesOf(endpoints[name].body as unknown as z.ZodType)
  const [first = '', ...rest] = path.split('.')
  const bare = Object.fromEntries(Object.entries(body).filter(([key]) => !gates.get(key)?.feature))
  const last = rest.at(-1)
  // Row filters replace single ids.
  if (rest[0] === 'matching')
    return { ...bare, [first]: { matching: { [last as string]: filterValues[last as string] }, count: 1 } }
  const isOfSales = rest[0] === last && last !== undefined && last in saleFilters
  const ofSales = isOfSales ? { list: 'transactions', columns: ['value'], ord: 'createdAt' } : {}
  const period = ofSales.list ? { startDate: '2026-11-01', endDate: '2026-11-02' } : {}
  if (last)
    return { ...bare, ...ofSales, [first]: { ...(bare[first] as object), ...period, [last]: filterValues[last] } }
  return { ...bare, [first]: body[first] }
}
const saleFilters: Record<string, unknown> = {
  mediaIds: [randomUUID()],
  customerIds: [randomUUID()],
  products: ['Espresso'],
  productTypes: ['A'],
  parameter: 'brand',
  parameterValues: ['Aurora'],
  priceTables: [1],
  refunded: 'true',
}
const filterValues: Record<string, unknown> = {
  soldOut: 'true',
  planogramId: randomUUID(),
  noVendProfileId: randomUUID(),
  ...saleFilters,
}

describe('under all merchants', () => {
  let both: TestUser
  let able: string
  let unable: string
  beforeAll(async () => {
    await turn([])
    able = (await aMerchant(api.database)).id
    unable = (await aMerchant(api.database, { features: [] })).id
    for (const merchantId of [able, unable]) {
      const machine = await aMachine(api.database, merchantId, { columns: { signal_percent: 61 } })
      await anAlarm(api.database, machine, { mcbf: 777 })
    }
    both = await aUser(
      api.database,
      'merchantAdmin',
      [able, unable].map((merchantId) => ({ merchantId, groups: 'all' as const })),
    )
  })
  const params = { merchantId: allMerchants }

  test('each item has the fields of its own merchant', async () => {
    const { items } = await api.as(both).listMachines({ params })
    const signalOf = (id: string) => items.find(({ merchantId }) => merchantId === id)
    expect(signalOf(able)).toMatchObject({ signalPercent: 61 })
    expect(signalOf(unable)).toBeDefined()
    expect(signalOf(unable)).not.toHaveProperty('signalPercent')
  })

  test('a file leaves columns empty in rows of merchants without the feature', async () => {
    const order = { list: 'alarms', format: 'csv', language: 'en', columns: ['posName', 'mcbf'], filter: {} }
    const { payload } = await api.send('exportShown', { params, body: order }, both)
    const lines = payload.trim().split('\n').slice(1)
    expect(lines, payload).toHaveLength(2)
    expect(lines.filter((line) => /\b777\b/.test(line))).toHaveLength(1)
  })

  test('features cannot be used for filters or sorting', async () => {
    for (const query of [{ soldOut: 'true' }, { ord: 'signalPercent' }])
      await expect(api.as(both).listMachines({ params, query: query as object })).rejects.toMatchObject({
        code: 'FeatureFilterOfAll',
      })
  })
})

test('a save that leaves out fields of features keeps what is stored', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const params = { merchantId }
  const before = await user.getMerchantSettings({ params })
  await user.updateMerchantSettings({ params, body: { ...before, pin: before.pin ?? '', minimumSignalPercent: 33 } })
  await api.database.admin(`update merchant_features set features = '{}' where merchant_id = $1`, [merchantId])
  const bare = await user.getMerchantSettings({ params })
  expect(bare).not.toHaveProperty('minimumSignalPercent')
  const after = await user.updateMerchantSettings({
    params,
    body: { ...bare, pin: bare.pin ?? '', auditExceededHours: 99 },
  })
  expect(after).toMatchObject({ auditExceededHours: 99 })
  expect(after).not.toHaveProperty('lowStockSelections')
  await api.database.admin(`update merchant_features set features = '{network}' where merchant_id = $1`, [merchantId])
  expect(await user.getMerchantSettings({ params })).toMatchObject({
    minimumSignalPercent: 33,
    auditExceededHours: 99,
  })
})

test('a conflict shows the current record without fields of features', async () => {
  const { id: merchantId } = await aMerchant(api.database, { features: [] })
  const { id: posId } = await aMachine(api.database, merchantId, { columns: { imei: '354' } })
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const input = { params: { merchantId, posId }, body: { version: 9, name: 'Other' } }
  const { facts } = (await api.send('updateMachine', input, user)).json()
  expect(facts.current).toMatchObject({ id: posId })
  expect(facts.current).not.toHaveProperty('imei')
})
