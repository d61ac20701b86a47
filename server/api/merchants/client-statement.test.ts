import { afterAll, beforeAll, expect, test } from 'vitest'
import { statementLines } from '#database/merchants/client-statement.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aMedia, aRefund } from '#testkit/nouns/cashless.ts'

let api: TestApi
let admin: TestClient
let user: TestUser
let merchantId: string
let clientId: string
let machine: TestMachine
const october = { startDate: '2026-10-01', endDate: '2026-10-31' }

beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  const groupId = await aGroup(api.database, merchantId)
  clientId = await aClient(api.database, merchantId)
  machine = await aMachine(api.database, merchantId, { groupId, name: 'Foyer', columns: { client_id: clientId } })
  const elsewhere = await aMachine(api.database, merchantId, {})
  user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(user)
  // In Rome October starts at 22:00 UTC of 30 September and ends at 23:00 UTC of its last day.
  for (const [created_at, value] of [
    ['2026-09-30T21:59:59Z', 9000],
    ['2026-09-30T22:00:00Z', 150],
    ['2026-10-31T22:59:59Z', 255],
    ['2026-10-31T23:00:00Z', 9000],
  ] as const)
    await aSale(api.database, machine, { created_at, value, type: 1 })
  await aSale(api.database, machine, { created_at: '2026-10-05T10:00:00Z', value: 100, type: 1, error_sale: true })
  await aSale(api.database, machine, { created_at: '2026-10-05T10:00:00Z', value: 0, type: 2, free_sale: true })
  await aSale(api.database, machine, { created_at: '2026-10-05T11:00:00Z', value: 50, type: 6 })
  await aSale(api.database, elsewhere, { created_at: '2026-10-05T10:00:00Z', value: 700, type: 1 })
  const mediaId = await aMedia(api.database, merchantId)
  const refund = { amount: 100, pos_id: machine.id, created_at: '2026-10-06T10:00:00Z' }
  await aRefund(api.database, merchantId, mediaId, { ...refund, transaction_id: mediaId })
  // Goodwill pays back no vend.
  await aRefund(api.database, merchantId, mediaId, refund)
})
afterAll(() => api.close())

const linesOf = (time_zone = 'Europe/Rome') =>
  api.database.withTenant(wholeMerchant(merchantId), (db) =>
    statementLines(db, { merchant_id: merchantId, id: clientId, time_zone }, october),
  )

test('a statement counts sales, refunds and paid vends of the client’s machines in the merchant’s month', async () => {
  expect(await linesOf()).toMatchObject([{ name: 'Foyer', sales: 405, refunds: 150, vends: 2 }])
})

test('a statement is a PDF, with and without an agreed commission', async () => {
  const before = await admin.getClient({ params: { merchantId, clientId } })
  const {
    id: _id,
    merchantId: _of,
    merchantName: _name,
    timeZone: _zone,
    machines: _count,
    createdAt: _at,
    ...fields
  } = before
  for (const commission of [
    {},
    { commissionKind: 'percent', commissionPercent: 12.5 },
    { commissionKind: 'perVend', commissionPerVend: 5 },
  ] as const) {
    const { version } = await admin.getClient({ params: { merchantId, clientId } })
    await admin.updateClient({ params: { merchantId, clientId }, body: { ...fields, ...commission, version } })
    const answer = await api.send(
      'getClientStatement',
      { params: { merchantId, clientId }, query: { month: '2026-10', language: 'it' } },
      user,
    )
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  }
})

test('a kind of commission needs its value', async () => {
  const body = { code: 'K', name: 'K', country: 'IT', commissionKind: 'percent' } as const
  await expect(admin.createClient({ params: { merchantId }, body })).rejects.toMatchObject({
    code: 'ValidationFailed',
    errors: [{ path: 'commissionPercent', rule: 'rule.required' }],
  })
  await expect(
    admin.createClient({ params: { merchantId }, body: { ...body, commissionPercent: 10.005 } }),
  ).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test.each(['2026-13', '2026-1', 'October'])('the month %s is refused', async (month) => {
  await expect(admin.getClientStatement({ params: { merchantId, clientId }, query: { month } })).rejects.toMatchObject({
    code: 'ValidationFailed',
  })
})
