import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCollection } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
let machine: TestMachine
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  machine = await aMachine(api.database, merchantId, { name: 'Station' })
})

const hour = 3_600_000
let hours = 0
/** A collection with so much counted; null: not counted yet. */
async function aBag(counted: number | null): Promise<string> {
  const at = new Date(Date.now() - 40 * 24 * hour + (hours += 30) * hour)
  const collectionId = await aCollection(api.database, machine, { at, until: at })
  if (counted !== null)
    await admin.countCashCollection({
      params: { merchantId, collectionId },
      body: { version: 1, pieces: [{ value: 10, count: counted / 10 }] },
    })
  return collectionId
}

const slip = (more: object = {}) => ({
  day: '2026-11-20',
  reference: 'S-1',
  amount: 5000,
  collectionIds: [] as string[],
  credited: null,
  creditedOn: null,
  note: null,
  ...more,
})
const create = (more: object = {}) => admin.createDeposit({ params: { merchantId }, body: slip(more) })
const read = (depositId: string) => admin.getDeposit({ params: { merchantId, depositId } })
const list = async (query: object = {}) => (await admin.listDeposits({ params: { merchantId }, query })).items

test('a deposit compares its slip with what was counted, and the credit of the bank with the slip', async () => {
  const bags = [await aBag(3000), await aBag(2500)]
  const { id } = await create({ collectionIds: bags })
  const deposit = await read(id)
  expect(deposit).toMatchObject({ status: 'open', collectionCount: 2, counted: 5500, difference: -500 })
  expect(deposit).toMatchObject({ credited: null, bankDifference: null, currency: 'EUR' })
  expect(deposit.collections).toMatchObject([
    { posName: 'Station', counted: 3000 },
    { posName: 'Station', counted: 2500 },
  ])
  const credit = (credited: number, version: number) =>
    admin.updateDeposit({
      params: { merchantId, depositId: id },
      body: { ...slip({ collectionIds: bags, credited, creditedOn: '2026-11-23' }), version },
    })
  expect(await credit(4990, deposit.version)).toMatchObject({ status: 'differs', bankDifference: -10 })
  expect(await list({ statuses: ['differs'] })).toMatchObject([{ id, bankDifference: -10 }])
  expect(await credit(5000, deposit.version + 1)).toMatchObject({ status: 'credited', bankDifference: 0 })
  expect(await list({ statuses: ['open', 'differs'] })).toEqual([])
  expect(await list({ startDate: '2026-11-20', endDate: '2026-11-20', search: 's-1' })).toMatchObject([{ id }])
  expect(await list({ startDate: '2026-11-21' })).toEqual([])
})

test('a correction of a count shows in the deposit', async () => {
  const bag = await aBag(3000)
  const { id } = await create({ collectionIds: [bag] })
  const { version } = await admin.getCashCollection({ params: { merchantId, collectionId: bag } })
  const body = { version, pieces: [{ value: 10, count: 290 }] }
  await admin.countCashCollection({ params: { merchantId, collectionId: bag }, body })
  expect(await read(id)).toMatchObject({ counted: 2900, difference: 2100 })
})

describe('a collection', () => {
  test('names its deposit, and is found by it', async () => {
    const [bag, other] = [await aBag(3000), await aBag(100)]
    const { id } = await create({ collectionIds: [bag] })
    const found = async (isDeposited: 'true' | 'false') => {
      const { items } = await admin.listCashCollections({ params: { merchantId }, query: { isDeposited } })
      return items.map((item) => [item.id, item.deposit])
    }
    expect(await found('true')).toEqual([[bag, { id, reference: 'S-1' }]])
    expect(await found('false')).toEqual([[other, null]])
    await admin.deleteDeposit({ params: { merchantId, depositId: id } })
    expect(await found('true')).toEqual([])
  })

  test('is deposited once: also by two who deposit it at once', async () => {
    const bag = await aBag(3000)
    const attempts = await Promise.allSettled(
      ['S-1', 'S-2', 'S-3'].map((reference) => create({ reference, collectionIds: [bag] })),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [deposit] = await list()
    for (const attempt of attempts)
      if (attempt.status === 'rejected')
        expect(attempt.reason).toMatchObject({
          code: 'CollectionDeposited',
          facts: { reference: deposit?.reference },
        })
    // The deposit itself keeps it in an edit.
    const body = { ...slip({ reference: 'S-9', collectionIds: [bag] }), version: 1 }
    const params = { merchantId, depositId: deposit?.id ?? '' }
    expect(await admin.updateDeposit({ params, body })).toMatchObject({ reference: 'S-9', counted: 3000 })
  })

  test('that is not counted, or of another merchant, is not deposited', async () => {
    await expect(create({ collectionIds: [await aBag(null)] })).rejects.toMatchObject({ code: 'CollectionNotCounted' })
    const other = (await aMerchant(api.database)).id
    const strange = await aCollection(api.database, await aMachine(api.database, other))
    await expect(create({ collectionIds: [strange] })).rejects.toMatchObject({ code: 'CollectionNotFound' })
    expect(await list()).toEqual([])
  })
})

test('a slip is deposited once, and a credit has its day, not before that of the slip', async () => {
  await create()
  await expect(create({ reference: 's-1' })).rejects.toMatchObject({ code: 'DepositReferenceTaken' })
  for (const [more, path] of [
    [{ credited: 1 }, 'creditedOn'],
    [{ creditedOn: '2026-11-23' }, 'credited'],
    [{ credited: 1, creditedOn: '2026-11-19' }, 'day'],
  ] as const)
    await expect(create({ reference: 'S-2', ...more })).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [{ path }],
    })
})
