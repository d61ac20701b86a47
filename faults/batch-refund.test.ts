import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'

let api: TestApi
let merchantId: string
let staff: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  staff = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api?.close())

const size = 100

/** What the database has of a merchant's refunds. */
async function stored() {
  const [row] = await api.database.admin<{ refunds: number; batches: number; operations: number; credit: number }>(
    `select (select count(*)::int from refunds where merchant_id = $1) as refunds,
       (select count(*)::int from refund_batches where merchant_id = $1) as batches,
       (select count(*)::int from ledger_operations where merchant_id = $1) as operations,
       (select coalesce(sum(balance), 0)::int from ledger_accounts where merchant_id = $1 and kind = 'credit') as credit`,
    [merchantId],
  )
  return row
}

/** Ends all connections of the API after a moment, as the end of its server would. */
async function cutOff(): Promise<void> {
  await pause(Math.random() * 80)
  await api.database.admin(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename in ('gettone_app', 'gettone_system') and pid <> pg_backend_pid()`,
  )
}

test('a batch refund that is cut off in the middle did all or nothing, and repeated it credits each medium once', async () => {
  const mediaSerials = Array.from({ length: size }, (_, index) => `CUT${index}`)
  await Promise.all(mediaSerials.map((serial) => aMedia(api.database, merchantId, { serial })))
  const send = (id: string) =>
    staff.refundBatch({
      params: { merchantId },
      body: { id, mediaSerials, refund: { amount: 150, currency: 'EUR', reason: 'Power cut' } },
    })
  for (let batches = 1; batches <= 8; batches++) {
    const id = randomUUID()
    const cut = send(id).catch(() => undefined)
    await cutOff()
    await cut
    const { refunds = -1, credit, operations } = (await stored()) ?? {}
    expect([(batches - 1) * size, batches * size]).toContain(refunds)
    expect({ credit, operations }).toEqual({ credit: refunds * 150, operations: refunds })
    // The connections may be away for a moment.
    const first = await until(() => send(id))
    const second = await until(() => send(id))
    expect(first.refunded).toHaveLength(size)
    expect(second).toEqual(first)
    expect(await stored()).toEqual({
      refunds: batches * size,
      batches,
      operations: batches * size,
      credit: batches * size * 150,
    })
  }
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
}, 180_000)

async function until<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await call()
    } catch (error) {
      if (tries > 20) throw error
      await pause(100)
    }
}
