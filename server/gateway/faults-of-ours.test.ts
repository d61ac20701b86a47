import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'

const at = '2026-11-21T08:00:00'
const saleOf = (seq: number) => ({ seq, at, type: 1, mediaType: 1, value: 150 })
const bodyOf = (seq: number) => Buffer.from(JSON.stringify({ id: randomUUID(), at, epoch: 1, items: [saleOf(seq)] }))

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

/** A gateway whose transactions fail with `failure` after all writes, so that they roll back. */
async function aPlace(failure: (attempt: number, written: string[]) => Error | undefined) {
  const merchant = await aMerchant(database)
  const first = await aMachine(database, merchant.id)
  const second = await aMachine(database, merchant.id)
  let attempts = 0
  const doors: TestDatabase = {
    ...database,
    withTenant: (scope, work, access) =>
      access === 'read'
        ? database.withTenant(scope, work, access)
        : database.withTenant(scope, async (db) => {
            const result = await work(db)
            const rows = await db.from('transactions').select('machine_id as id').distinct().execute()
            const error = failure(
              ++attempts,
              rows.map(({ id }) => id),
            )
            if (error) throw error
            return result
          }),
  }
  const { gateway } = await aGateway(doors)
  const sell = async ({ serial, secret }: typeof first, seq: number) => {
    const machine = await gateway.authenticate(serial, secret)
    if (!machine) throw new Error('The machine is not known')
    return gateway.receive(machine, 'sale', bodyOf(seq))
  }
  const sold = async () => {
    const rows = await database.admin<{ id: string }>(
      'select machine_id as id from transactions where merchant_id = $1',
      [merchant.id],
    )
    return rows.map(({ id }) => id)
  }
  const letters = () => database.admin('select reason from dead_letters where merchant_id = $1', [merchant.id])
  return { first, second, sell, sold, letters }
}

test.each([
  ['no descriptor is left', { code: 'EMFILE' }],
  ['no memory is left', { code: 'ENOMEM' }],
  ['nobody listens', { code: 'ECONNREFUSED' }],
  ['a plan is from before a migration', { code: '0A000' }],
  ['a code is unknown to us', { code: 'XX999' }],
])('a sale that fails with %s is stored at the next attempt and never set aside', async (_why, code) => {
  const place = await aPlace((attempt) => (attempt <= 2 ? Object.assign(new Error('not now'), code) : undefined))
  const { answer, refused } = await place.sell(place.first, 1)
  expect([answer.ack.committed, refused]).toEqual([1, []])
  expect(await place.sold()).toEqual([place.first.id])
  expect(await place.letters()).toEqual([])
})

test('a sale that triggers a bug of ours is neither acknowledged nor set aside, delays no other machine, and is sent again', async () => {
  let bugOf: string | undefined
  const place = await aPlace((_, written) =>
    bugOf !== undefined && written.includes(bugOf) ? new TypeError('x is undefined') : undefined,
  )
  bugOf = place.first.id
  const outcomes = await Promise.allSettled([place.sell(place.first, 1), place.sell(place.second, 1)])
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: expect.any(TypeError) },
    { status: 'fulfilled', value: { answer: { ack: { committed: 1 } } } },
  ])
  expect(await place.sold()).toEqual([place.second.id])
  bugOf = undefined
  expect((await place.sell(place.first, 1)).answer.ack.committed).toBe(1)
  expect(await place.letters()).toEqual([])
})
