import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantDb } from '#database/frame/tenant.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { reserveToCollect } from './collect.ts'
import { addCredit, replaceMedia, reverseCredit } from './credit.ts'
import { ledgerFaults } from './ledger-check.ts'
import { endHeld, reserve, settleClaims } from './reservation.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

class Crash extends Error {}

const media = 4
const machines = 2
const amount = fc.integer({ min: 1, max: 400 })
const which = fc.integer({ min: 0, max: media - 1 })
const request = fc.integer({ min: 0, max: 9 })
const step = fc.record({
  act: fc.oneof(
    fc.record({ kind: fc.constant('recharge' as const), media: which, amount, bonus: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ kind: fc.constant('refund' as const), media: which, amount, isAtMachine: fc.boolean() }),
    fc.record({ kind: fc.constant('reserve' as const), media: which, amount, request, machine: fc.nat(machines - 1) }),
    fc.record({
      kind: fc.constant('settle' as const),
      amount: fc.integer({ min: 0, max: 500 }),
      request,
      machine: fc.nat(machines - 1),
    }),
    fc.record({ kind: fc.constant('collect' as const), media: which, amount, request, machine: fc.nat(machines - 1) }),
    fc.record({ kind: fc.constant('expire' as const), media: which }),
    fc.record({ kind: fc.constant('reverse' as const), media: which, amount }),
    fc.record({ kind: fc.constant('lose' as const), media: which, by: which }),
  ),
  /** How often the server crashes before it commits, and how often the caller sends the same again. */
  crashes: fc.integer({ min: 0, max: 1 }),
  repeats: fc.integer({ min: 0, max: 1 }),
})
type Act = typeof step extends fc.Arbitrary<{ act: infer A }> ? A : never

async function aLedger() {
  const { id: merchantId } = await aMerchant(database)
  const ids = await Promise.all(Array.from({ length: media }, () => aMedia(database, merchantId)))
  const machineIds = Array.from({ length: machines }, () => randomUUIDv7())
  const requests = Array.from({ length: 10 }, () => randomUUIDv7())
  const lost = new Set<string>()
  const now = new Date()
  const expiresAt = new Date(now.getTime() + 3_600_000)
  const at = (list: readonly string[], index: number) => list[index] as string

  const work = async (db: TenantDb, act: Act, key: string): Promise<unknown> => {
    const cause = { at: now }
    switch (act.kind) {
      case 'recharge':
        return addCredit(
          db,
          merchantId,
          [
            {
              kind: 'recharge',
              key,
              mediaId: at(ids, act.media),
              credit: act.amount,
              bonus: act.bonus,
              cause,
              from: { kind: 'provider', ownerId: merchantId },
            },
          ],
          now,
        )
      case 'refund':
        return addCredit(
          db,
          merchantId,
          [
            {
              kind: 'refund',
              key,
              mediaId: at(ids, act.media),
              credit: act.amount,
              cause,
              from: { kind: 'refunds', ownerId: merchantId },
              ...(act.isAtMachine && { collectAt: { posId: at(machineIds, 0), refundId: key, expiresAt } }),
            },
          ],
          now,
        )
      case 'reserve':
      case 'collect':
        return (act.kind === 'reserve' ? reserve : reserveToCollect)(
          db,
          {
            merchantId,
            id: at(requests, act.request),
            mediaId: at(ids, act.media),
            posId: at(machineIds, act.machine),
            amount: act.amount,
            expiresAt,
          },
          now,
        )
      case 'settle':
        return settleClaims(db, merchantId, [
          {
            reservationId: at(requests, act.request),
            posId: at(machineIds, act.machine),
            paid: act.amount,
            at: now,
            sourceId: key,
          },
        ])
      case 'expire':
        return endHeld(db, merchantId, { mediaId: at(ids, act.media), as: 'expired', at: now })
      case 'reverse':
        return reverseCredit(db, merchantId, {
          key,
          mediaId: at(ids, act.media),
          amount: act.amount,
          cause,
          from: { kind: 'provider', ownerId: merchantId },
        })
      case 'lose': {
        const lostId = at(ids, act.media)
        const newId = at(ids, act.by)
        // The rule of the call: a lost medium is replaced once, by another medium that is not lost.
        if (lostId === newId || lost.has(lostId) || lost.has(newId)) return
        lost.add(lostId)
        return replaceMedia(db, merchantId, { lostId, newId, user: { id: randomUUIDv7(), name: 'Anna' } }, now)
      }
    }
  }

  const balances = () =>
    database.admin('select id, balance, reserved from ledger_accounts where merchant_id = $1 order by id', [merchantId])

  return {
    merchantId,
    balances,
    async run(act: Act, key: string) {
      await database.withTenant(wholeMerchant(merchantId), (db) => work(db, act, key))
    },
    async crash(act: Act, key: string) {
      const before = new Set(lost)
      const crashed = database.withTenant(wholeMerchant(merchantId), async (db) => {
        await work(db, act, key)
        throw new Crash()
      })
      await expect(crashed).rejects.toBeInstanceOf(Crash)
      lost.clear()
      for (const id of before) lost.add(id)
    },
  }
}

/** `npm run test:full` does 10,000 operations; LEDGER_RUNS sets another number of runs. */
const [usualRuns, least, most] = isFullRun ? [170, 60, 65] : [6, 20, 60]
const runs = Number(process.env.LEDGER_RUNS ?? usualRuns)
const maximumSecondsPerRun = 6

test(
  'whatever happens to credit, in any order, with crashes and repetitions, the ledger adds up',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: least, maxLength: most }), async (steps) => {
        const ledger = await aLedger()
        for (const { act, crashes, repeats } of steps) {
          const key = randomUUIDv7()
          const before = await ledger.balances()
          for (let crash = 0; crash < crashes; crash++) await ledger.crash(act, key)
          if (crashes > 0) expect(await ledger.balances()).toEqual(before)
          await ledger.run(act, key)
          if (repeats === 0) continue
          const after = await ledger.balances()
          await ledger.run(act, key)
          expect(await ledger.balances()).toEqual(after)
        }
        expect(await ledgerFaults(database, ledger.merchantId)).toEqual([])
        const [{ sum } = { sum: null }] = await database.admin<{ sum: number }>(
          'select coalesce(sum(balance), 0)::bigint as sum from ledger_accounts where merchant_id = $1',
          [ledger.merchantId],
        )
        expect(Number(sum)).toBe(0)
      }),
      { numRuns: runs, endOnFailure: true },
    )
  },
  Math.max(120, runs * maximumSecondsPerRun) * 1000,
)

test('no role may change or delete what is booked', async () => {
  const { id } = await aMerchant(database)
  for (const table of ['ledger_operations', 'ledger_entries'].map((name) => sql.table(name)))
    for (const statement of [
      sql`update ${table} set merchant_id = merchant_id where merchant_id = ${id}`,
      sql`delete from ${table} where merchant_id = ${id}`,
    ])
      await expect(database.withTenant(wholeMerchant(id), (db) => statement.execute(db.query))).rejects.toMatchObject({
        code: '42501',
      })
})
