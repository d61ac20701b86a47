import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { isDistributed } from '#database/frame/distributed.ts'
import { localDayOf } from '#domain/time/local-hour.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api?.close())

/** The statements that a call sends, in their order. */
async function sentBy(call: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const before = query.mock.calls.length
  await call()
  for (const [statement] of query.mock.calls.slice(before)) {
    const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text
    sent.push(text?.trim().replaceAll(/\s+/g, ' ') ?? '')
  }
  query.mockRestore()
  return sent
}

test('a list of transactions takes four round trips, on several nodes six: its user, its features, its count and its rows', async () => {
  const machine = await aMachine(api.database, merchantId)
  const created_at = new Date(Date.now() - 3_600_000)
  await aSale(api.database, machine, { created_at })
  const today = localDayOf(created_at.getTime(), 'Europe/Rome')
  const query = { startDate: today, endDate: today }
  const list = () => admin.listTransactions({ params: { merchantId }, query })
  expect((await list()).items).toHaveLength(1)
  const sent = await sentBy(list)
  expect(sent.map((text) => text.slice(0, 15))).toEqual([
    'select u.id, u.',
    'begin read only',
    // In a query of its own where it is sent to other nodes.
    ...(isDistributed() ? ['set local app.m', 'select merchant'] : []),
    'select coalesce',
    'select t.id, t.',
    // After the answer.
    'commit',
  ])
})

test('the statements of a call carry the id that its answer has, without a round trip of their own; on several nodes they carry none', async () => {
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const idOf = async (call: () => Promise<{ headers: Record<string, unknown> }>) => {
    let id = ''
    const sent = await sentBy(async () => {
      id = String((await call()).headers['x-request-id'])
    })
    return { id, named: sent.filter((text) => text.includes(`set local application_name = 'gettone ${id}';`)) }
  }
  const read = await idOf(() => api.send('listClients', { params: { merchantId } }, user))
  // There each statement at the start of a transaction is a round trip to each node.
  if (isDistributed()) return expect(read.named).toEqual([])
  expect(read.named).toHaveLength(1)
  expect(read.named[0]).toMatch(/^begin read only; set local application_name/)
  const body = { code: 'C1', name: 'Bar', country: 'IT' }
  const written = await idOf(() => api.send('createClient', { params: { merchantId }, body }, user))
  expect(written.named[0]).toMatch(/^begin; set local application_name/)
})
