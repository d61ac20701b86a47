import { createHmac, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { gatewayHeaders } from '#server/payments/gateway-signature.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aPaymentConfig, aPaymentOrder, aPaymentService } from '#testkit/nouns/web-payments.ts'
import { noteFinding } from './findings.ts'
import { aServerProcess, breakablePostgres, doorsOf, expectSoon, isFull } from './harness.ts'

const place = breakablePostgres()
const orders = isFull ? 200 : 40
const kills = isFull ? 5 : 2
const signingKey = createHmac('sha256', 'fault').update('callback').digest('hex')

/** Orders that wait at a provider. */
async function waitingOrders() {
  const { database } = place
  const { id: merchantId } = await aMerchant(database)
  const serviceId = await aPaymentService(database)
  const configId = await aPaymentConfig(database, merchantId, serviceId, { secrets: { signingKey } })
  const mediaId = await aMedia(database, merchantId)
  const kind = { kind: 'recharge', description: null, media_id: mediaId, media_serial: 'K1' }
  const ids: string[] = []
  for (let n = 0; n < orders; n++)
    ids.push(
      await aPaymentOrder(database, { merchantId, configId, serviceId }, { ...kind, transaction_number: randomUUID() }),
    )
  const rows = await database.admin<{ reference: string; transaction_number: string }>(
    'select reference, transaction_number from web_payment_orders where id = any($1)',
    [ids],
  )
  return { merchantId, configId, mediaId, rows }
}

test('a server that is killed in the middle of callbacks credits each order once after their repetition', async () => {
  const { database } = place
  const { merchantId, configId, mediaId, rows } = await waitingOrders()
  const server = await aServerProcess('api', database)
  const path = `/api/v1/payments/${merchantId}/${configId}/callback`
  /** A provider sends again until it gets a 200. */
  const acknowledged = new Set<string>()
  const send = async ({ reference, transaction_number }: (typeof rows)[number]) => {
    const report = { transaction: transaction_number, reference, state: 'paid', amount: 500, currency: 'EUR' }
    const body = JSON.stringify(report)
    const headers = gatewayHeaders('shop', signingKey, { method: 'POST', path, body }, new Date())
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body }).catch(() => undefined)
    if (answer?.ok) acknowledged.add(reference)
  }
  const creditOf = async () =>
    (
      await database.admin<{ balance: number }>(
        `select balance::int from ledger_accounts where owner_id = $1 and kind = 'credit'`,
        [mediaId],
      )
    )[0]?.balance ?? 0

  let killedAt = 0
  for (let time = 1; time <= kills; time++) {
    const sent = rows.map(send)
    const target = Math.ceil((orders * time) / (kills + 2)) * 500
    // The kill hits while some callbacks are booked and others are under way.
    await expect.poll(creditOf, { timeout: 30_000, interval: 2 }).toBeGreaterThanOrEqual(target)
    killedAt = performance.now()
    await server.kill('SIGKILL')
    await Promise.all(sent)
    await server.start()
  }
  await Promise.all(rows.map(send))
  const recoverySeconds = (performance.now() - killedAt) / 1000
  const credit = await creditOf()
  noteFinding({
    fault: `kill -9 of the server during payment callbacks, ${kills} times`,
    load: `${orders} callbacks at once, repeated until acknowledged`,
    acknowledged: acknowledged.size,
    missing: Math.max(0, orders - credit / 500),
    twice: Math.max(0, credit / 500 - orders),
    wrongHours: null,
    recoverySeconds,
  })
  expect(acknowledged.size).toBe(orders)
  expect(credit).toBe(orders * 500)
  expect(await database.admin('select from web_payment_orders where result = 1')).toHaveLength(orders)
  expect(await ledgerFaults(await doorsOf(database.url), merchantId)).toEqual([])
  expectSoon(recoverySeconds)
})
