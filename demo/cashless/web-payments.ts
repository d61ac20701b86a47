import { sql } from 'kysely'
import type { WebPaymentState } from '#contract/vocabulary/web-payment.ts'
import { registerMedia } from '#database/cashless/media.ts'
import { insertConfig } from '#database/cashless/web-payment-config.ts'
import { applyReport, expireOrder, insertOrder, writeStart } from '#database/cashless/web-payment-order.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { paymentLifeMillis } from '#domain/cashless/web-payment.ts'
import { newReference, sealSecrets } from '#server/payments/account.ts'
import { receivedOf } from '#server/payments/report.ts'
import { sandboxKey, sandboxPath, sandboxServiceId } from '#server/payments/sandbox.ts'
import { createVault } from '#server/secrets/vault.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'

const hourMs = 3_600_000

/** The sandbox, whose address is set at each start, and the real providers, for which no demo merchant has credentials. */
const services = [
  { id: sandboxServiceId, name: 'Sandbox', type: 4, url: `http://127.0.0.1${sandboxPath}` },
  { id: '018e0a3c-5c00-7c10-8000-00000000c002', name: 'Nexi XPay', type: 0, url: 'https://ecommerce.nexi.it' },
  { id: '018e0a3c-5c00-7c10-8000-00000000c003', name: 'PayPal', type: 1, url: 'https://api-m.paypal.com' },
  { id: '018e0a3c-5c00-7c10-8000-00000000c004', name: 'Satispay', type: 2, url: 'https://authservices.satispay.com' },
] as const

interface Past {
  until: number
  seed: string
  secretKey: string
}

/** Payment services, the merchants' accounts with the sandbox, and web payments with each result; unless there are services. */
export async function addWebPayments(doors: Doors, past: Past): Promise<void> {
  const now = new Date(past.until)
  const isNew = await doors.withSystem('demo data', async (db) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('web_payment_services')
      .values(services.map((service) => ({ ...service, created_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === BigInt(services.length)
  })
  if (!isNew) return
  for (const merchant of demoMerchants) {
    if (!merchant.features.includes('webPayments')) continue
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], (db) => addOrdersOf(db, merchant, past))
  }
}

/** Media that recharge on the web: serials that the machines have seen. */
async function mediaOf(db: TenantDb, merchantId: string, at: Date): Promise<[serial: string, id: string][]> {
  const { rows } = await sql<{ serial: string; type: number }>`
    select sale.media_serial as serial, min(sale.media_type)::int as type from transactions sale
    where ${db.own('sale')} and sale.merchant_id = ${merchantId} and sale.media_serial <> 'FFFFFFFF'
    group by 1 order by 1 limit 8`.execute(db.query)
  const sightings = rows.map(({ serial, type }) => ({ serial, type, origin: 'machine' as const, at }))
  return [...(await registerMedia(db, merchantId, sightings))]
}

async function addOrdersOf(db: TenantDb, merchant: DemoMerchant, past: Past): Promise<void> {
  const random = randomFrom(`${past.seed} web payments ${merchant.id}`)
  const now = new Date(past.until)
  const [author] = authorsAt({ merchant, group: merchant.places[0]?.group ?? '' }, 'settings.write')
  const media = await mediaOf(db, merchant.id, now)
  if (!author || media.length === 0) return
  const accountId = `demo-${merchant.id.slice(-4)}`
  const configId = uuidAt(past.until, random)
  await insertConfig(db, {
    merchant_id: merchant.id,
    id: configId,
    service_id: sandboxServiceId,
    is_active: true,
    credentials: { accountId },
    secrets: ['signingKey'],
    version: 1,
    sealed: sealSecrets(createVault(past.secretKey), { signingKey: sandboxKey(past.secretKey, accountId) }),
    set_at: now,
    set_by: author.id,
    set_by_name: author.name,
  })
  const place = { db, merchant, configId, author, random }
  for (const [at, [hoursAgo, ends]] of stories.entries()) {
    const one = media[at % media.length]
    if (one) await addOrder(place, one, new Date(past.until - hoursAgo * hourMs - random.int(0, 50) * 60_000), ends)
  }
}

type End = Extract<WebPaymentState, 'paid' | 'reversed'> | 'declined' | 'cancelled' | 'expired' | 'waiting' | 'doubtful'
/** When each order was created, in hours before now, and how it ended. */
const stories: readonly (readonly [hoursAgo: number, End])[] = [
  ...[1000, 900, 820, 700, 610, 500, 430, 300, 210, 150, 90, 60, 30, 6].map((hours) => [hours, 'paid'] as const),
  ...([
    [650, 'declined'],
    [400, 'cancelled'],
    [260, 'expired'],
    [180, 'reversed'],
    [50, 'doubtful'],
  ] as const),
  ...([
    [20, 'declined'],
    [0.2, 'waiting'],
  ] as const),
]

interface Place {
  db: TenantDb
  merchant: DemoMerchant
  configId: string
  author: { id: string; name: string }
  random: Random
}

async function addOrder(
  { db, merchant, configId, author, random }: Place,
  [serial, mediaId]: readonly [string, string],
  createdAt: Date,
  ends: End,
): Promise<void> {
  const id = uuidAt(createdAt.getTime(), random)
  const reference = newReference()
  const amount = random.pick(merchant.recharges)
  const { id: merchantId, currency } = merchant
  const expires = new Date(createdAt.getTime() + paymentLifeMillis)
  await insertOrder(db, {
    merchant_id: merchantId,
    id,
    reference,
    config_id: configId,
    service_id: sandboxServiceId,
    service_name: 'Sandbox',
    service_type: 4,
    kind: 'recharge',
    amount,
    currency,
    media_id: mediaId,
    media_serial: serial,
    created_at: createdAt,
    created_by: author.id,
    created_by_name: author.name,
    expires_at: expires,
    // The sandbox does not know this payment, so it is queried at its end only.
    next_query_at: ends === 'waiting' ? expires : null,
  })
  const transaction = `SB${id.replaceAll('-', '').slice(-16).toUpperCase()}`
  await writeStart(db, merchantId, id, {
    transaction,
    redirectUrl: `${sandboxPath}/pay/${transaction}`,
    isRefused: false,
    at: createdAt,
    request: { reference, amount, currency, description: serial },
    response: { transaction },
  })
  const report = (
    state: WebPaymentState,
    minutes: number,
    more: { amount?: number; reason?: 'declined' | 'cancelled' } = {},
  ) => {
    const report = { state, amount, currency, transaction, response: { transaction, state, amount, currency }, ...more }
    return applyReport(
      db,
      merchantId,
      id,
      receivedOf('callback', report),
      new Date(createdAt.getTime() + minutes * 60_000),
    )
  }
  if (ends === 'declined' || ends === 'cancelled') await report('failed', 2, { reason: ends })
  else if (ends === 'expired') await expireOrder(db, merchantId, id, expires)
  else if (ends !== 'waiting') {
    if (ends === 'doubtful') await report('paid', 1, { amount: amount * 10 })
    await report('paid', 3)
    if (ends === 'reversed') await report('reversed', 24 * 60)
  }
}
