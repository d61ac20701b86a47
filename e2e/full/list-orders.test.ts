import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { idNames } from '#contract/frame/ids.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { tableOf } from '#database/frame/reach.ts'
import { readConfig } from '#server/config.ts'
import type { Aim } from '#testkit/access/aim.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { openDemoDatabase } from '#testkit/demo-template.ts'
import { aUser, testSecretKey } from '#testkit/fixtures.ts'
import { aimOf, callOf, type ListPage, pageOfList, type SortedList, sortedLists } from '#testkit/list-orders.ts'
import { aNoVendProfile } from '#testkit/nouns/catalogue.ts'
import { aWebhook, aWebhookMessage } from '#testkit/nouns/webhooks.ts'

let api: TestApi
let user: TestUser
let aim: (list: EndpointName) => Aim | undefined
beforeAll(async () => {
  const config = readConfig({ DEMO: 'true' }, { production: false, keptSecret: testSecretKey })
  const { database } = await openDemoDatabase(config)
  api = await openTestApi({ DEMO: 'true' }, database)
  user = await aUser(database, 'superAdmin', [])
  aim = await demoAim(api)
}, 300_000)
afterAll(async () => {
  await api?.close()
  await api?.database.close()
})

interface Found {
  id: string
  merchant_id: string
}

/** The merchant with most machines, its machine with most alarms, and of each noun a record: of that merchant, if it has one. */
async function demoAim({ database }: TestApi): Promise<(list: EndpointName) => Aim | undefined> {
  const { admin } = database
  const [busiest] = await admin<Found>(
    `select merchant_id, machine_id as id from alarms
     where merchant_id = (select merchant_id from machines group by 1 order by count(*) desc limit 1)
     group by 1, 2 order by count(*) desc limit 1`,
  )
  if (!busiest) throw new Error('The demo has no alarms.')
  const merchantId = busiest.merchant_id
  await admin(
    `insert into merchant_details (merchant_id, screen_configuration) values ($1, true)
     on conflict (merchant_id) do update set screen_configuration = true`,
    [merchantId],
  )
  const webhook = { url: 'https://example.test/hook', events: ['machine.online'] as const }
  const { id: webhookId } = await aWebhook(database, merchantId, webhook)
  for (let message = 0; message < 7; message++) await aWebhookMessage(database, { merchantId, webhookId })
  await admin('update machines set no_vend_profile_id = $2 where merchant_id = $1', [
    merchantId,
    await aNoVendProfile(database, merchantId),
  ])
  const records = new Map<string, Found>([
    ['merchantId', { id: merchantId, merchant_id: merchantId }],
    ['posId', busiest],
  ])
  for (const name of idNames) {
    const table = tableOf(name)
    if (records.has(name) || table === 'handler') continue
    const [row] = await admin<Found>(
      `select id, merchant_id from ${table} order by merchant_id = $1 desc, id limit 1`,
      [merchantId],
    ).catch(() => [])
    if (row) records.set(name, row)
  }
  // A call has one merchant: that of the record which its path names.
  return (list) => {
    const named = [...endpoints[list].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const record = named.map((name) => records.get(name)).at(-1)
    if (named.length > 0 && !record) return undefined
    return aimOf((name) => (name === 'merchantId' ? record?.merchant_id : records.get(name)?.id) ?? merchantId)
  }
}

const all = 200
type Row = Readonly<Record<string, unknown>>
/** A row of a list; an operation of the book of pieces has a row for each product. */
const keyOf = (row: Row) => JSON.stringify(row.id === undefined ? row : [row.id, row.productId])

/** The values of a column that compare alike here and in the database: numbers and instants. */
const comparable = (value: unknown): value is number | string | null =>
  value === null || typeof value === 'number' || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))

function orderFault(rows: readonly Row[], ord: string, ordType: 'ASC' | 'DESC'): string | undefined {
  const values = rows.map((row) => row[ord])
  if (!values.every(comparable)) return undefined
  const known = values.filter((value) => value !== null)
  if (values.slice(0, known.length).includes(null)) return 'rows without a value are not last'
  const sign = ordType === 'ASC' ? 1 : -1
  const isSorted = known.every((value, at) => {
    const before = known[at - 1]
    return before === undefined || before === value || (before < value ? 1 : -1) === sign
  })
  return isSorted ? undefined : 'out of order'
}

/** Orders whose column shows another figure than it is sorted by, such as a share of a whole. */
const byAnother = ['level', 'cashInBox', 'difference', 'cashDifference', 'boxDifference', 'blocked', 'absent', 'mcbf']

/** The totals of a whole list that are not the sums of its rows. */
function wrongTotals({ items, total, totals }: ListPage): string[] {
  if (!totals || items.length < total) return []
  return totals.flatMap(({ currency, values }) => {
    const own = items.filter((row) => currency === null || row.currency === currency)
    return Object.entries(values).flatMap(([column, value]) => {
      const numbers = own.map((row) => row[column])
      if (!numbers.every((one): one is number | null => one === null || typeof one === 'number')) return []
      const sum = numbers.reduce<number>((before, one) => before + (one ?? 0), 0)
      return Math.abs(sum - (value ?? 0)) < 0.001 ? [] : [`${column}: ${value} for ${sum} ${currency}`]
    })
  })
}

/** Lists of records that the small demo need not have. */
const withoutRecords = ['listFirmwareRolloutMachines', 'listCashDatabaseRolloutMachines', 'listScreenMachines']

/** Totals that are no sum of their rows: a rate is that of the sums. */
const ofSums = ['listPosKpis', 'listMerchantKpis']

async function faultsOf({ name, ords }: SortedList): Promise<string[]> {
  const faults: string[] = []
  const at = aim(name)
  if (!at) {
    // The demo has none of the records whose rows it lists.
    expect(withoutRecords).toContain(name)
    return []
  }
  const call = callOf(name, at)
  const page = (ord: string, ordType: 'ASC' | 'DESC', number: number, size: number) =>
    pageOfList(api, user, name, call, { ord, ordType, page: number, size })
  for (const ord of ords)
    for (const ordType of ['ASC', 'DESC'] as const) {
      const fault = (what: string) => faults.push(`${name} by ${ord} ${ordType}: ${what}`)
      const whole = await page(ord, ordType, 1, all)
      const keys = whole.items.map(keyOf)
      if (!ofSums.includes(name)) for (const wrong of wrongTotals(whole)) fault(wrong)
      if (new Set(keys).size < keys.length) fault('a row is there twice')
      if (!byAnother.includes(ord)) {
        // The default of alarm settings is their first row in every order.
        const sorted = whole.items.filter(({ code }) => code !== anyCode)
        const wrong = orderFault(sorted, ord, ordType)
        if (wrong) fault(wrong)
      }
      if (whole.items.length < 3) continue
      const size = Math.ceil(whole.items.length / 3)
      const pages = []
      for (const number of [1, 2, 3]) pages.push(...(await page(ord, ordType, number, size)).items)
      // Of a long list three pages are compared with its beginning.
      if (JSON.stringify(pages.map(keyOf).slice(0, keys.length)) !== JSON.stringify(keys.slice(0, pages.length)))
        fault('its pages are not the list')
    }
  return faults
}

test('the contract sorts more than sixty lists by more than four hundred columns', () => {
  expect(sortedLists.length).toBeGreaterThan(60)
  expect(sortedLists.flatMap(({ ords }) => ords).length).toBeGreaterThan(400)
})

test.each(sortedLists.map((list) => ({ ...list, path: endpoints[list.name].path })))(
  '$name: the pages of each order are the whole list, in order, each row once, those without a value last',
  async (list) => {
    expect(await faultsOf(list)).toEqual([])
  },
  120_000,
)
