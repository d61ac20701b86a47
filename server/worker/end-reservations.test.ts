import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { reserve, settleClaims } from '#database/cashless/reservation.ts'
import { aDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { endReservations } from './watch.ts'

const hour = 3_600_000

test('a reservation ends when its time is over, once, also beside its settlement', async () => {
  const database = await aDatabase()
  const { id: merchantId } = await aMerchant(database)
  const posId = randomUUIDv7()
  const now = new Date()
  const hints: string[] = []
  const deps = {
    doors: database,
    live: { announce: (merchant: string, topic: string, pos?: string) => hints.push(`${merchant} ${topic} ${pos}`) },
  }
  const held = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const mediaId = await aMedia(database, merchantId)
      await aCredit(database, merchantId, mediaId, 100)
      const id = randomUUIDv7()
      const expiresAt = new Date(now.getTime() + (index === 0 ? hour : -1))
      const request = { merchantId, id, mediaId, posId, amount: 100, expiresAt }
      await database.withTenant(wholeMerchant(merchantId), (db) => reserve(db, request, now))
      return { id, mediaId }
    }),
  )
  const settled = held.slice(0, 6)
  const settle = ({ id: reservationId }: (typeof held)[number]) =>
    database.withTenant(wholeMerchant(merchantId), (db) =>
      settleClaims(db, merchantId, [{ reservationId, posId, paid: 70, at: now, sourceId: randomUUIDv7() }]),
    )
  await Promise.all([endReservations(deps, now), endReservations(deps, now), ...settled.map(settle)])
  await endReservations(deps, now)

  const states = await database.admin<{ id: string; state: string; reserved: number; balance: number }>(
    `select r.id, r.state, a.reserved::int, a.balance::int from credit_reservations r
     join ledger_accounts a on a.merchant_id = r.merchant_id and a.owner_id = r.media_id and a.kind = 'credit'
     where r.merchant_id = $1`,
    [merchantId],
  )
  const isSettled = new Set<string>(settled.map(({ id }) => id))
  expect(states).toHaveLength(12)
  for (const { id, state, reserved, balance } of states) {
    expect([state, reserved, balance]).toEqual(isSettled.has(id) ? ['settled', 0, 30] : ['expired', 0, 100])
  }
  expect(await ledgerFaults(database)).toEqual([])
  expect(hints).toContain(`${merchantId} media ${posId}`)
})
