import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { createClaim } from '#database/key-portal/claim.ts'
import { randomFrom } from '#simulator/random.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aDevice } from '#testkit/machines/device.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'

/* A sale is paid back once, whatever the way: by its transaction, at a machine, by a claim, by the machine itself. */

let api: TestApi
let gateway: TestGateway
let merchantId: string
let machine: TestMachine
let staff: TestClient
let device: ReturnType<typeof aDevice>
beforeAll(async () => {
  api = await openTestApi()
  gateway = await openGateway(api.database)
  merchantId = (await aMerchant(api.database)).id
  await api.database.admin('update merchant_settings set maximum_refund = 1000 where merchant_id = $1', [merchantId])
  machine = await aMachine(api.database, merchantId)
  device = aDevice(gateway, machine)
  staff = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(async () => {
  await gateway?.stop()
  await api?.close()
})

const currency = 'EUR' as const
const value = 120

/** A failed vend of 1.20 that a customer's key paid, as the machine sends it. */
async function aVend() {
  const { id: customerId } = await staff.createCustomer({
    params: { merchantId },
    body: { name: 'Anna Rossi', email: null, language: 'it' },
  })
  const serial = `V${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(api.database, merchantId, { serial, customer_id: customerId })
  const [item] = device.numbered([{ type: 1, mediaType: 2, mediaSerial: serial, value, errorSale: true }])
  await device.sendItems('sale', [item as object])
  const [row] = await api.database.admin<{ id: string; created_at: Date }>(
    'select id, created_at from transactions where merchant_id = $1 and media_serial = $2',
    [merchantId, serial],
  )
  if (!row || !item) throw new Error('The sale was not stored')
  return { serial, customerId, mediaId, seq: item.seq, transactionId: row.id, happenedAt: row.created_at }
}
type Vend = Awaited<ReturnType<typeof aVend>>

const refund = (amount: number) => ({ amount, currency, reason: 'The can got stuck' })
const aClaimOf = async ({ customerId, mediaId, happenedAt }: Vend) => {
  const report = {
    merchantId,
    id: randomUUID(),
    customerId,
    machineId: machine.id,
    selection: null,
    amount: 9_999,
    currency,
    paidBy: 'media' as const,
    mediaId,
    text: 'It kept my money',
    happenedAt,
  }
  const { claim } = await api.database.withTenant(wholeMerchant(merchantId), (db) =>
    createClaim(db, report, new Date()),
  )
  return claim.id
}

const ways = [
  ({ mediaId, transactionId }: Vend, amount: number) =>
    staff.refundMedia({
      params: { merchantId, mediaId },
      body: { id: randomUUID(), refund: refund(amount), transactionId },
    }),
  ({ mediaId, transactionId }: Vend, amount: number) =>
    staff.refundMediaAtMachine({
      params: { merchantId, mediaId },
      body: { id: randomUUID(), refund: refund(amount), device: machine.id, transactionId },
    }),
  async (vend: Vend, amount: number) =>
    staff.refundClaim({
      params: { merchantId, claimId: await aClaimOf(vend) },
      body: { amount, currency, mediaId: vend.mediaId, transactionId: vend.transactionId },
    }),
]

async function paidBack({ transactionId, mediaId }: Vend) {
  const [row] = await api.database.admin<{ refunded: number; credit: number }>(
    `select coalesce((select sum(amount)::int from refunds where merchant_id = $1 and transaction_id = $2), 0) as refunded,
      coalesce((select sum(balance)::int from ledger_accounts where merchant_id = $1 and owner_id = $3), 0) as credit`,
    [merchantId, transactionId, mediaId],
  )
  return row as { refunded: number; credit: number }
}

test('of whole refunds by all ways at one moment, one is paid', async () => {
  for (let round = 0; round < 3; round++) {
    const vend = await aVend()
    const answers = await Promise.allSettled([...ways, ...ways].map((way) => way(vend, value)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await paidBack(vend)).toEqual({ refunded: value, credit: value })
  }
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
})

test.each(['a', 'b'])(
  'however a sale is paid back in parts, at one moment and one after the other, the parts add up to the sale at most (%s)',
  async (seed) => {
    const random = randomFrom(`ways to a refund ${seed}`)
    const vend = await aVend()
    let accepted = 0
    for (let step = 0; step < 5; step++) {
      const amounts = Array.from({ length: 3 }, () => random.int(1, 70))
      const answers = await Promise.allSettled(amounts.map((amount) => random.pick(ways)(vend, amount)))
      accepted += answers.reduce((sum, { status }, at) => sum + (status === 'fulfilled' ? (amounts[at] ?? 0) : 0), 0)
      expect(await paidBack(vend)).toEqual({ refunded: accepted, credit: accepted })
      expect(accepted).toBeLessThanOrEqual(value)
    }
    expect(await ledgerFaults(api.database, merchantId)).toEqual([])
  },
)

test('of a refund and a reversal by the machine at one moment, the refund is refused or the reversal is a finding', async () => {
  for (let round = 0; round < 4; round++) {
    const vend = await aVend()
    const reversal = { type: 6, mediaType: 2, mediaSerial: vend.serial, value: -value, originalSeq: vend.seq }
    const [refundResult] = await Promise.allSettled([ways[0]?.(vend, value), device.say('sale', reversal)])
    const findings = await api.database.admin<{ kind: string; amount: string }>(
      'select kind, amount::int from media_findings where merchant_id = $1 and media_id = $2',
      [merchantId, vend.mediaId],
    )
    expect(findings).toEqual(
      refundResult?.status === 'fulfilled' ? [{ kind: 'reversedAfterRefund', amount: value }] : [],
    )
    await expect(ways[0]?.(vend, 1)).rejects.toMatchObject({ code: 'TransactionReversed' })
  }
})
