import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMedia } from '#testkit/cashless.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

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

/** Ends the connection that waits to write the log, as the end of its server would: credit and refunds are written and not committed. */
async function cutOff(owner: pg.Client): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { rows } = await owner.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%change_log%' and pid <> pg_backend_pid()`,
    )
    if (rows.length > 0) return
    await pause(50)
  }
  throw new Error('No batch waits for the log.')
}

test('a batch refund that is cut off in the middle did nothing, and repeated it credits each medium once', async () => {
  const mediaSerials = Array.from({ length: size }, (_, index) => `CUT${index}`)
  await Promise.all(mediaSerials.map((serial) => aMedia(api.database, merchantId, { serial })))
  const body = {
    id: randomUUID(),
    mediaSerials,
    refund: { amount: 150, currency: 'EUR' as const, reason: 'Power cut' },
  }
  const send = () => staff.refundBatch({ params: { merchantId }, body })
  const owner = new pg.Client({ connectionString: api.database.adminUrl })
  await owner.connect()
  try {
    for (let times = 0; times < 3; times++) {
      await owner.query('begin; lock table change_log in access exclusive mode')
      const cut = send().then(
        () => 'answered',
        () => 'cut off',
      )
      await cutOff(owner)
      expect(await cut).toBe('cut off')
      await owner.query('rollback')
      expect(await stored()).toEqual({ refunds: 0, batches: 0, operations: 0, credit: 0 })
    }
  } finally {
    await owner.end()
  }
  const answers = [await send(), await send()]
  for (const answer of answers) expect(answer.refunded).toHaveLength(size)
  expect(answers[1]).toEqual(answers[0])
  expect(await stored()).toEqual({ refunds: size, batches: 1, operations: size, credit: size * 150 })
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
}, 180_000)
