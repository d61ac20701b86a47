import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let machines: TestMachine[]
let groups: string[]
let clients: string[]
let users: TestClient[]

/** A month in the recent past, for which partitions exist. */
const month = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7)
const products = ['Espresso', 'Tea', 'Water']

beforeAll(async () => {
  api = await openTestApi()
  const { database } = api
  merchantId = (await aMerchant(database)).id
  groups = [await aGroup(database, merchantId), await aGroup(database, merchantId)]
  clients = [await aClient(database, merchantId), await aClient(database, merchantId)]
  machines = []
  for (let at = 0; at < 3; at++)
    machines.push(
      await aMachine(database, merchantId, {
        ...(at < 2 && { groupId: groups[at] }),
        columns: { client_id: clients[at] ?? null },
      }),
    )
  users = [
    api.as(await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])),
    api.as(await aUser(database, 'groupAdmin', [{ merchantId, groups: [groups[0] as string] }])),
  ]
  for (let number = 0; number < 48; number++)
    await aSale(database, machines[number % 3] as TestMachine, {
      created_at: new Date(Date.parse(`${month}-10T06:00:00Z`) + number * 7 * 3_600_000),
      type: 1 + (number % 2),
      media_type: 1 + (number % 3),
      product: products[number % 5] ?? null,
      price_table: [1, 2, null][number % 4] ?? null,
      free_sale: number % 7 === 0,
      error_sale: number % 11 === 0,
    })
  // Some days are summed up, the others are hours.
  await sumUpDays(database, new Date(`${month}-16T12:00:00Z`))
}, 60_000)
afterAll(() => api?.close())

/** Mostly unset: with every filter at once nearly nothing is left. */
const rarely = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values })
const some = <T>(values: () => readonly T[]) =>
  rarely(fc.subarray([0, 1, 2], { minLength: 1, maxLength: 2 })).map((indexes) =>
    indexes?.flatMap((at) => {
      const value = values()[at]
      return value === undefined ? [] : [value]
    }),
  )
const filters = fc.record({
  days: fc.tuple(fc.integer({ min: 9, max: 24 }), fc.integer({ min: 9, max: 24 })),
  posIds: some(() => machines.map(({ id }) => id)),
  groupIds: some(() => groups),
  clientIds: some(() => clients),
  terms: fc.constantFrom(undefined, 'ofDay' as const),
  products: some(() => products),
  priceTables: some(() => [1, 2, 3]),
  types: some(() => [1, 2]),
  mediaTypes: some(() => [1, 2, 3]),
  hours: rarely(fc.constant([6, 8, 10, 12, 13, 15, 20])),
  freeSale: rarely(fc.constantFrom('true' as const, 'false' as const)),
  errorSale: rarely(fc.constantFrom('true' as const, 'false' as const)),
  isGroupAdmin: fc.boolean(),
})

test('a list counts exactly the transactions that it shows, by whatever filters, from sums or rows', async () => {
  let nonEmpty = 0
  await fc.assert(
    fc.asyncProperty(filters, async ({ days: [one, other], isGroupAdmin, ...filter }) => {
      const dayOf = (day: number) => `${month}-${String(day).padStart(2, '0')}`
      const query = {
        ...filter,
        // Machines, groups and clients out of reach are not found.
        ...(isGroupAdmin && { posIds: undefined, groupIds: undefined, clientIds: undefined }),
        startDate: dayOf(Math.min(one, other)),
        endDate: dayOf(Math.max(one, other)),
        size: 100,
      }
      const user = users[isGroupAdmin ? 1 : 0] as TestClient
      const { items, total, capped } = await user.listTransactions({ params: { merchantId }, query })
      expect({ total, capped }).toEqual({ total: items.length, capped: false })
      nonEmpty += total
    }),
    { numRuns: 80 },
  )
  expect(nonEmpty).toBeGreaterThan(20)
}, 30_000)
