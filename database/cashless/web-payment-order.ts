import { randomUUIDv7 } from 'node:crypto'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import {
  isFinding,
  type WebPaymentReason,
  type WebPaymentState,
  type WebPaymentVerdict,
} from '#contract/vocabulary/web-payment.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { judgeReport, nextQueryAfter, type PaymentReport, type PaymentStep } from '#domain/cashless/web-payment.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { DB } from '../frame/schema.gen.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { addCredit, reverseCredit } from './credit.ts'
import { keptOfOrders, keyOfOrder, reverseKept } from './kept-recharge.ts'
import { holdMedias } from './media-acts.ts'
import { successorsOf } from './reservation.ts'

export type OrderRecord = Selectable<DB['web_payment_orders']>
export type NewOrder = Insertable<DB['web_payment_orders']>

/** Days of each merchant's own calendar. */
const day = (bound: string | undefined, how: '>=' | '<', days: number): RawBuilder<boolean> =>
  when(
    bound,
    (
      date,
    ) => sql<boolean>`web_payment_orders.created_at ${sql.raw(how)} (${date}::date + ${days}::int)::timestamp at time zone
        (select zoned.time_zone from merchants zoned where zoned.id = web_payment_orders.merchant_id)`,
  )

export const webPaymentOrderList = recordList({
  list: 'webPaymentOrders',
  table: 'web_payment_orders',
  sums: { of: ['amount', 'reversedAmount'], currency: sql`web_payment_orders.currency` },
  where: (_, { results, kinds, serviceTypes, mediaId, hasFindings, startDate, endDate }) => [
    anyOf('web_payment_orders.result', results, 'int'),
    anyOf('web_payment_orders.kind', kinds, 'text'),
    anyOf('web_payment_orders.service_type', serviceTypes, 'int'),
    anyOf('web_payment_orders.media_id', mediaId ? [mediaId] : undefined, 'uuid'),
    when(hasFindings, (expected) => sql<boolean>`(web_payment_orders.findings > 0) = ${expected}`),
    day(startDate, '>=', 0),
    day(endDate, '<', 1),
  ],
})

const of = (db: TenantDb, merchantId: string) =>
  db.from('web_payment_orders').where('web_payment_orders.merchant_id', '=', merchantId).selectAll('web_payment_orders')

export const orderById = (db: TenantDb, merchantId: string, id: string): Promise<OrderRecord | undefined> =>
  of(db, merchantId).where('web_payment_orders.id', '=', id).executeTakeFirst()

export const orderByReference = (
  db: TenantDb,
  merchantId: string,
  reference: string,
): Promise<OrderRecord | undefined> =>
  of(db, merchantId).where('web_payment_orders.reference', '=', reference).executeTakeFirst()

/** The same, by the provider's number at one account. */
export const orderByTransaction = (
  db: TenantDb,
  merchantId: string,
  { configId, transaction }: { configId: string; transaction: string },
): Promise<OrderRecord | undefined> =>
  of(db, merchantId)
    .where('web_payment_orders.config_id', '=', configId)
    .where('web_payment_orders.transaction_number', '=', transaction)
    .executeTakeFirst()

/** Which order a payer's link or a report names, among all merchants. */
export const placeOfReference = (doors: Doors, reference: string) =>
  doors.withSystem(
    'web payment callbacks',
    (db) =>
      db
        .selectFrom('web_payment_orders')
        .where('reference', '=', reference)
        .select(['merchant_id as merchantId', 'id'])
        .executeTakeFirst(),
    'single statement',
  )

/** Stores a new order; false when its id is taken. */
export async function insertOrder(db: TenantDb, row: NewOrder): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db.query
    .insertInto('web_payment_orders')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

type Details = Readonly<Record<string, unknown>>

/** Stores what the provider answered to a new order. A report that arrived earlier stays. */
export const writeStart = (
  db: TenantDb,
  merchantId: string,
  id: string,
  start: {
    transaction: string | null
    redirectUrl: string | null
    request: Details
    response: Details
    /** The provider refused the order. */
    isRefused: boolean
    at: Date
  },
) =>
  sql`update web_payment_orders set version = version + 1, redirect_url = ${start.redirectUrl},
      transaction_number = coalesce(transaction_number, ${start.transaction}),
      request = ${JSON.stringify(start.request)}::jsonb, response = ${JSON.stringify(start.response)}::jsonb,
      state = case when ${start.isRefused} and state = 'waiting' then 'failed' else state end,
      reason = case when ${start.isRefused} and state = 'waiting' then 'notStarted' else reason end,
      processed_at = case when ${start.isRefused} and state = 'waiting' then ${start.at} else processed_at end,
      next_query_at = case when ${start.isRefused} then null else next_query_at end
    where merchant_id = ${merchantId} and id = ${id}`.execute(db.query)

/** A report with what identifies it, and the answer to store. */
export interface ReceivedReport extends PaymentReport {
  /** The digest of the report: the same one again is counted. */
  key: string
  response: Details
}

const lockedOrder = (db: TenantDb, merchantId: string, id: string) =>
  of(db, merchantId).where('web_payment_orders.id', '=', id).forUpdate().executeTakeFirst()

/**
 * Applies a proven report to its order and to the ledger, in one transaction: the order is locked, so that reports at one moment follow each
 * other, and each movement of credit has its key.
 */
export async function applyReport(
  db: TenantDb,
  merchantId: string,
  orderId: string,
  report: ReceivedReport,
  now: Date,
): Promise<PaymentStep | undefined> {
  const order = await lockedOrder(db, merchantId, orderId)
  if (!order) return undefined
  const step = judgeReport(
    {
      state: order.state as WebPaymentState,
      amount: order.amount,
      currency: order.currency,
      reversed: order.reversed_amount,
      transaction: order.transaction_number,
    },
    report,
  )
  await storeReport(db, order, report, step.verdict, now)
  if (isFinding(step.verdict)) return step
  const moved = await moveCredit(db, order, step, now)
  await writeStep(db, order, report, step, { ...moved, now })
  return step
}

/** What moving the credit of an order left: what its medium had spent before, and a recharge that was kept. */
interface Moved {
  unpaid: number
  isKept: boolean
}

async function moveCredit(
  db: TenantDb,
  order: OrderRecord,
  { credit, toReverse }: PaymentStep,
  now: Date,
): Promise<Moved> {
  const { merchant_id: merchantId, id: orderId, media_id } = order
  if (!media_id || (credit === 0 && toReverse === 0)) return { unpaid: 0, isKept: false }
  // A medium that was lost in the meantime has given its credit to its replacement.
  const mediaId = (await successorsOf(db, merchantId, [media_id])).get(media_id) ?? media_id
  const from = { kind: 'provider', ownerId: order.config_id } as const
  const cause = { at: now, orderId }
  const key = keyOfOrder(orderId)
  if (credit > 0) {
    await addCredit(db, merchantId, [{ kind: 'recharge', key, mediaId, credit, from, cause }], now)
    return { unpaid: 0, isKept: (await keptOfOrders(db, merchantId, [orderId])).has(orderId) }
  }
  // A user who books or refuses a kept recharge locks the accounts of its medium.
  await holdMedias(db, merchantId, [...new Set([media_id, mediaId])])
  if (await reverseKept(db, merchantId, key, toReverse, now)) return { unpaid: 0, isKept: false }
  const reversal = {
    key: `${key} reversed ${order.reversed_amount + toReverse}`,
    mediaId,
    amount: toReverse,
    from,
    cause,
  }
  return { unpaid: (await reverseCredit(db, merchantId, reversal))?.unpaid ?? 0, isKept: false }
}

async function writeStep(
  db: TenantDb,
  order: OrderRecord,
  report: ReceivedReport,
  { state, reason, toReverse, verdict }: PaymentStep,
  { unpaid, isKept, now }: Moved & { now: Date },
): Promise<void> {
  const isChange = verdict !== 'unchanged' && verdict !== 'asked'
  const isOpen = state === 'waiting'
  await db.query
    .updateTable('web_payment_orders')
    .set({
      state,
      transaction_number: order.transaction_number ?? report.transaction,
      response: JSON.stringify(report.response),
      ...(isChange && {
        reason: reason satisfies WebPaymentReason | null,
        processed_at: now,
        reversed_amount: order.reversed_amount + toReverse,
        unpaid: order.unpaid + unpaid,
        ...(isKept && { findings: order.findings + 1 }),
      }),
      // An order that waits keeps its turn; a contradiction is resolved at once.
      next_query_at: verdict === 'asked' ? now : isOpen ? order.next_query_at : null,
      version: sql<number>`version + 1`,
    })
    .where('merchant_id', '=', order.merchant_id)
    .where('id', '=', order.id)
    .execute()
}

/** Stores a report, or counts a repeated one; a refused one is a finding of the order. */
async function storeReport(
  db: TenantDb,
  { merchant_id, id }: Pick<OrderRecord, 'merchant_id' | 'id'>,
  { key, source, state, amount, currency }: Omit<ReceivedReport, 'response'>,
  verdict: WebPaymentVerdict,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ times: number }>`insert into web_payment_reports as report
      (merchant_id, id, order_id, key, source, state, amount, currency, verdict, first_at, last_at)
    values (${merchant_id}, ${randomUUIDv7()}, ${id}, ${key}, ${source}, ${state}, ${amount}, ${currency}, ${verdict}, ${at}, ${at})
    on conflict (merchant_id, order_id, key) do update set times = report.times + 1, last_at = excluded.last_at
    returning times`.execute(db.query)
  if (rows[0]?.times !== 1 || !isFinding(verdict)) return
  await sql`update web_payment_orders set findings = findings + 1, version = version + 1
    where merchant_id = ${merchant_id} and id = ${id}`.execute(db.query)
}

/** Stores a report of another account that names this order. It changes nothing else. */
export async function refuseReport(
  db: TenantDb,
  merchantId: string,
  orderId: string,
  report: Omit<ReceivedReport, 'response'>,
  now: Date,
): Promise<void> {
  const order = await lockedOrder(db, merchantId, orderId)
  if (order) await storeReport(db, order, report, 'otherAccount', now)
}

export const reportsOf = (db: TenantDb, merchantId: string, orderId: string) =>
  db
    .from('web_payment_reports')
    .where('web_payment_reports.merchant_id', '=', merchantId)
    .where('web_payment_reports.order_id', '=', orderId)
    .selectAll('web_payment_reports')
    .orderBy('first_at')
    .orderBy('id')
    .execute()

/**
 * Orders whose provider is to be asked now. Each is put off first, so that other workers leave it alone, and a worker that dies only delays it.
 */
export async function claimDueOrders(doors: Doors, now: Date, most: number) {
  const due = await doors.withSystem(
    'due web payments',
    (db) =>
      db
        .selectFrom('web_payment_orders')
        .where('next_query_at', '<=', now)
        .select(['merchant_id as merchantId', 'id', 'queries'])
        .orderBy('next_query_at')
        .limit(most)
        .execute(),
    'single statement',
  )
  const claimed: typeof due = []
  for (const one of due) if (await putOff(doors, one, now)) claimed.push(one)
  return claimed
}

const putOff = (
  doors: Doors,
  { merchantId, id, queries }: { merchantId: string; id: string; queries: number },
  now: Date,
): Promise<boolean> =>
  doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const { numUpdatedRows } = await db.query
      .updateTable('web_payment_orders')
      .set({ queries: queries + 1, next_query_at: new Date(now.getTime() + nextQueryAfter(queries + 1)) })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .where('next_query_at', '<=', now)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })

/** Ends an order that waited too long. False: it has ended already. */
export async function expireOrder(db: TenantDb, merchantId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('web_payment_orders')
    .set({
      state: 'failed',
      reason: 'expired',
      processed_at: now,
      next_query_at: null,
      version: sql<number>`version + 1`,
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A medium that is to be recharged, with its merchant's currency. */
export async function mediaToRecharge(db: TenantDb, merchantId: string, serial: string) {
  return db
    .from('medias')
    .where('medias.merchant_id', '=', merchantId)
    .where('medias.serial', '=', serial)
    .select(['medias.id', 'medias.serial', 'medias.status'])
    .executeTakeFirst()
}

/** The currency in which a merchant's orders are paid. */
export async function currencyOf(db: TenantDb, merchantId: string): Promise<Currency> {
  const row = await db
    .from('merchants')
    .where('merchants.id', '=', merchantId)
    .select('merchants.currency')
    .executeTakeFirstOrThrow()
  return row.currency as Currency
}
