import { sql } from 'kysely'
import type { batchRefusals, Refund, RefundFilters, refundOrds } from '#contract/cashless/refund.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { SaleMoney } from '#domain/cashless/refund.ts'
import { noteFacts } from '../facts/webhook-note.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { anyOf, inPeriod, when } from '../frame/conditions.ts'
import { exactLimit, orderOf, type Page, pageOf, type Sorted, totalsOf } from '../frame/list.ts'
import { type Hidden, hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { RowOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { moneyOfSale } from '../sales/money-of-sale.ts'
import { wasAt } from '../sales/terms-of-day.ts'

/** The money of one sale. The caller holds the merchant's account of refunds and the journal of the machine, so that nothing changes it. */
export async function saleMoney(
  db: TenantDb,
  { merchant_id, id, created_at }: { merchant_id: string; id: string; created_at: Date },
): Promise<SaleMoney> {
  // The instant of a row is finer than that of a Date.
  const { rows } = await sql<SaleMoney>`select t.type::int as type, ${moneyOfSale(db)} from transactions t
    where ${db.own('t')} and t.merchant_id = ${merchant_id} and t.id = ${id}
      and t.created_at between ${created_at}::timestamptz - interval '1 second' and ${created_at}::timestamptz + interval '1 second'`.execute(
    db.query,
  )
  const [row] = rows
  if (!row) throw new Error(`The transaction ${id} has no row.`)
  return row
}

/** What limits the refunds of a merchant. Minor units. */
export async function refundLimits(db: TenantDb, merchantId: string) {
  const { rows } = await sql<{ currency: Currency; maximum: number; unlockHours: number }>`
    select merchants.currency, settings.maximum_refund as maximum, settings.cloud_credit_unlock_hours as "unlockHours"
    from merchants join merchant_settings settings on ${db.own('settings')} and settings.merchant_id = merchants.id
    where ${db.narrow('merchants')} and merchants.id = ${merchantId}`.execute(db.query)
  return rows[0]
}

/** A refund as it is stored. */
export interface StoredRefund extends Omit<RowOf<typeof Refund>, FromElsewhere> {
  created_by: string
  created_by_name: string
}
type FromElsewhere =
  | 'merchant_name'
  | 'time_zone'
  | 'currency'
  | 'media_serial'
  | 'pos_name'
  | 'collected_at'
  | 'created_by'

/** Stores refunds. The caller holds the merchant's account of refunds, and has looked for their keys. */
export async function insertRefunds(db: TenantDb, refunds: readonly StoredRefund[]): Promise<void> {
  await insertRows(
    db.query,
    'refunds',
    [
      'merchant_id',
      'id',
      'batch_id',
      'media_id',
      'kind',
      'state',
      'amount',
      'reason',
      'transaction_id',
      'transaction_at',
      'pos_id',
      'created_at',
      'created_by',
      'created_by_name',
    ],
    refunds.map((one) => [
      one.merchant_id,
      one.id,
      one.batch_id,
      one.media_id,
      one.kind,
      one.state,
      one.amount,
      one.reason,
      one.transaction_id,
      one.transaction_at,
      one.pos_id,
      one.created_at,
      one.created_by,
      one.created_by_name,
    ]),
  )
  await noteFacts(
    db,
    refunds.map(({ merchant_id }) => merchant_id),
    ['refund.made'],
    () =>
      refunds.map(({ merchant_id, id, kind, amount, pos_id, transaction_id, created_at }) => ({
        event: 'refund.made',
        merchantId: merchant_id,
        data: {
          refundId: id,
          kind,
          amount,
          posId: pos_id,
          transactionId: transaction_id,
          at: created_at.toISOString(),
        },
      })),
  )
}

export async function refundById(db: TenantDb, merchantId: string, id: string): Promise<StoredRefund | undefined> {
  const { rows } = await sql<StoredRefund>`select refund.* from refunds refund
    where ${db.own('refund')} and refund.merchant_id = ${merchantId} and refund.id = ${id}`.execute(db.query)
  return rows[0]
}

export interface StoredBatch {
  id: string
  amount: number
  pos_id: string | null
  reason: string
  created_at: Date
  medias: string[]
  refused: { mediaSerial: string; reason: (typeof batchRefusals)[number] }[]
}

export async function findBatch(db: TenantDb, merchantId: string, id: string): Promise<StoredBatch | undefined> {
  const { rows } = await sql<StoredBatch>`select batch.* from refund_batches batch
    where ${db.own('batch')} and batch.merchant_id = ${merchantId} and batch.id = ${id}`.execute(db.query)
  return rows[0]
}

export const insertBatch = (
  db: TenantDb,
  merchantId: string,
  { id, amount, pos_id, reason, created_at, medias, refused }: StoredBatch,
  user: { id: string; name: string },
) =>
  sql`insert into refund_batches (merchant_id, id, amount, pos_id, reason, created_at, created_by, created_by_name, medias, refused)
    values (${merchantId}, ${id}, ${amount}, ${pos_id}, ${reason}, ${created_at}, ${user.id}, ${user.name},
      ${medias}::text[], ${JSON.stringify(refused)}::jsonb)`.execute(db.query)

/** The refunds of a batch, in the order of its serials. */
export async function refundsOfBatch(db: TenantDb, merchantId: string, batchId: string) {
  const { rows } = await sql<{ mediaSerial: string; refundId: string }>`
    select media.serial as "mediaSerial", refund.id as "refundId" from refunds refund
    join medias media on ${db.own('media')} and media.merchant_id = refund.merchant_id and media.id = refund.media_id
    where ${db.own('refund')} and refund.merchant_id = ${merchantId} and refund.batch_id = ${batchId}
    order by refund.id`.execute(db.query)
  return rows
}

/** A refund as a list shows it. */
export interface RefundRow
  extends Omit<RowOf<typeof Refund>, 'created_by'>,
    Pick<StoredRefund, 'created_by' | 'created_by_name'> {
  created_by_shown: string | null
}

type Ord = (typeof refundOrds)[number]

/** The newest first by default. */
export const refundOrdering = orderOf<Ord>({
  by: {
    createdAt: sql`refund.created_at`,
    merchant: sql`lower(merchants.name)`,
    mediaSerial: sql`media.serial`,
    amount: sql`refund.amount`,
    kind: sql`refund.kind`,
    state: sql`refund.state`,
    reason: sql`lower(refund.reason)`,
    machine: sql`machine.name_order`,
    transactionAt: sql`refund.transaction_at`,
    collectedAt: sql`refund.collected_at`,
    transactionId: sql`refund.transaction_id`,
    batchId: sql`refund.batch_id`,
  },
  first: 'createdAt',
  falling: 'all',
  full: ['createdAt', 'amount'],
  ties: (direction) => sql`refund.id ${direction}`,
})

/** The machine of a refund, in the reader's groups, on the day of the refund. */
const placeOfRefund = {
  merchantId: sql`machine.merchant_id`,
  machineId: sql`machine.id`,
  day: sql`(refund.created_at at time zone merchants.time_zone)::date`,
}

/** Returns a function that starts a query on the matching refunds `refund`, with their media and, in the reader's groups, machines. */
export async function refundsMatching(db: TenantDb, filters: RefundFilters) {
  const { search, mediaIds, kinds, states, groupIds, clientIds, posIds, terms, ...period } = filters
  const inside = await inPeriod(db, 'refund', 'created_at', period)
  return () =>
    db.query
      .selectFrom('refunds as refund')
      .where(db.narrow('refunds', 'refund'))
      .innerJoin('merchants', 'merchants.id', 'refund.merchant_id')
      .innerJoin('medias as media', (join) =>
        join.onRef('media.merchant_id', '=', 'refund.merchant_id').onRef('media.id', '=', 'refund.media_id'),
      )
      .where(db.own('media'))
      .leftJoin('machines as machine', (join) =>
        join
          .on(db.narrow('machinesEver', 'machine'))
          .onRef('machine.merchant_id', '=', 'refund.merchant_id')
          .onRef('machine.id', '=', 'refund.pos_id'),
      )
      .where(inside)
      .where(holds(sql`media.serial`, search))
      .where(anyOf('refund.media_id', mediaIds, 'uuid'))
      .where(anyOf('refund.kind', kinds, 'text'))
      .where(anyOf('refund.state', states, 'text'))
      .where(
        terms === 'ofDay'
          ? wasAt(db, { groupIds, clientIds, terms }, placeOfRefund)
          : sql<boolean>`${anyOf('machine.group_id', groupIds, 'uuid')} and ${anyOf('machine.client_id', clientIds, 'uuid')}`,
      )
      .where(anyOf('machine.id', posIds, 'uuid'))
}

/** The name of the user who refunded. */
export const refunderOf = (hidden: Hidden) => redactedName(sql`refund.created_by`, sql`refund.created_by_name`, hidden)

/** A page of refunds, and their number; `id`: one of them. */
export async function listRefunds(
  db: TenantDb,
  query: RefundFilters & Page & Sorted<Ord>,
  seesInvisible: boolean,
  id?: string,
) {
  const hidden = await hiddenFrom(db, seesInvisible)
  const all = await refundsMatching(db, query)
  const matching = () => all().where(when(id, (one) => sql<boolean>`refund.id = ${one}`))
  const { rows, ...counted } = await pageOf(db, query, {
    matching,
    order: refundOrdering(query),
    countedTo: exactLimit,
    select: (refunds) =>
      refunds
        .selectAll('refund')
        .select(['merchants.name as merchant_name', 'merchants.time_zone', 'media.serial as media_serial'])
        .select(sql<Currency>`merchants.currency`.as('currency'))
        .select(['machine.id as shown_pos_id', 'machine.name as pos_name'])
        .select(refunderOf(hidden).as('created_by_shown')),
  })
  const totals = await totalsOf(db, matching, { currency: sql`merchants.currency`, of: { amount: sql`refund.amount` } })
  return { ...counted, totals, rows: rows.map((row) => ({ ...row, pos_id: row.shown_pos_id }) as RefundRow) }
}
