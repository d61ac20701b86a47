import { sql } from 'kysely'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { addCredit } from '#database/cashless/credit.ts'
import { insertRefunds } from '#database/cashless/refund.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { closeClaim, createClaim } from '#database/key-portal/claim.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'
import { claimAnswers, claimTexts } from './texts.ts'

const hourMs = 3_600_000
/** The states of the claims, newest first. */
const states = [
  ...(['open', 'open', 'open', 'refunded', 'open', 'refused', 'refunded', 'answered'] as const),
  ...(['refunded', 'refunded', 'refused', 'answered', 'refunded'] as const),
]

/** A sale of a customer that a claim is about. */
interface Sale {
  id: string
  machine_id: string
  at: Date
  value: number
  line: number | null
  media_id: string
  customer_id: string
  error_sale: boolean
}

/** Claims of the demo's customers in each state, about a sale of each day: a failed one if there is one. */
export async function addClaims(doors: Doors, { until, seed }: { until: number; seed: string }): Promise<void> {
  for (const merchant of demoMerchants.filter(({ features }) => features.includes('customerMedia')))
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      if (await db.from('claims').select('claims.id').limit(1).executeTakeFirst()) return
      const random = randomFrom(`${seed} claims ${merchant.id}`)
      const sales = await salesOf(db, merchant.id, until)
      for (const [index, sale] of sales.entries()) await addOne(db, merchant, { sale, index, random, until })
      await sql`update claims set mail_due_at = null, mail_sent_at = answered_at where merchant_id = ${merchant.id}`.execute(
        db.query,
      )
    })
}

async function salesOf(db: TenantDb, merchantId: string, until: number): Promise<Sale[]> {
  const { rows } = await sql<Sale>`
    select distinct on (t.created_at::date) t.id, t.machine_id, t.created_at as at, t.value, t.price_line as line, media.id as media_id, media.customer_id, t.error_sale
    from transactions t join medias media on ${db.own('media')} and media.merchant_id = t.merchant_id
      and media.serial = t.media_serial and media.customer_id is not null and media.status = ${sql.lit(mediaStatuses.ok)}
    where ${db.own('t')} and t.merchant_id = ${merchantId} and t.value > 0 and t.type in (1, 2, 14, 15)
      and t.created_at between ${new Date(until - 20 * 24 * hourMs)} and ${new Date(until - hourMs)}
      and not exists (select 1 from refunds refund where ${db.own('refund')} and refund.merchant_id = t.merchant_id
        and refund.transaction_id = t.id)
    order by t.created_at::date desc, t.error_sale desc, t.created_at desc limit ${states.length}`.execute(db.query)
  return rows.sort((one, other) => one.at.getTime() - other.at.getTime())
}

async function addOne(
  db: TenantDb,
  merchant: DemoMerchant,
  { sale, index, random, until }: { sale: Sale; index: number; random: Random; until: number },
): Promise<void> {
  const speech = merchant.speech === 'it' ? 'it' : 'es'
  // Oldest first: the numbers follow the time.
  const state = states[states.length - 1 - index] ?? 'open'
  const createdAt = new Date(Math.min(until, sale.at.getTime() + (4 + random.next() * 40) * 60_000))
  const isCash = index % 4 === 3
  const { claim } = await createClaim(
    db,
    {
      merchantId: merchant.id,
      id: uuidAt(createdAt.getTime(), random),
      customerId: sale.customer_id,
      machineId: sale.machine_id,
      selection: sale.line === null ? null : String(sale.line),
      amount: sale.value,
      currency: merchant.currency,
      paidBy: isCash ? 'cash' : 'media',
      mediaId: sale.media_id,
      text: random.pick(claimTexts[speech]),
      // People round.
      happenedAt: new Date(Math.round(sale.at.getTime() / 60_000) * 60_000),
    },
    createdAt,
  )
  if (state === 'open') return
  const [author] = authorsAt({ merchant, group: '' }, 'refund.write')
  const user = author ?? { id: merchant.id, name: merchant.name }
  const at = new Date(Math.min(until, createdAt.getTime() + (0.5 + random.next() * 26) * hourMs))
  const answer = claimAnswers[speech][state]
  if (state !== 'refunded') {
    await closeClaim(db, claim, { state, answer, at, user })
    return
  }
  const refundId = uuidAt(at.getTime(), random)
  const transactionId = sale.id
  await insertRefunds(db, [
    {
      merchant_id: merchant.id,
      id: refundId,
      batch_id: null,
      media_id: sale.media_id,
      kind: 'cloud',
      state: 'done',
      amount: sale.value,
      reason: answer,
      transaction_id: transactionId,
      transaction_at: transactionId && sale.at,
      pos_id: sale.machine_id,
      created_at: at,
      created_by: user.id,
      created_by_name: user.name,
    },
  ] as Parameters<typeof insertRefunds>[1])
  await addCredit(
    db,
    merchant.id,
    [
      {
        kind: 'refund',
        key: `refund ${refundId}`,
        mediaId: sale.media_id,
        credit: sale.value,
        from: { kind: 'refunds', ownerId: merchant.id },
        cause: { at, posId: sale.machine_id, refundId, user, note: answer, ...(transactionId && { transactionId }) },
      },
    ],
    at,
  )
  await closeClaim(db, claim, { state, answer, at, user, refundId, transactionId: sale.id })
}
