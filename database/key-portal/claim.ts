import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import type { Claim, ClaimFilters, ClaimPayment, ClaimState, claimOrds } from '#contract/key-portal/claim.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { anyOf, inPeriod, when } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted, totalsOf } from '../frame/list.ts'
import type { RecordKey } from '../frame/records.ts'
import { type Hidden, hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { RowOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

/** What a customer reports. Amounts are minor units. */
export interface NewClaim {
  merchantId: string
  /** Made by the caller: the same claim sent again is stored once. */
  id: string
  /** Null: a caller without an account. */
  customerId: string | null
  machineId: string
  selection: string | null
  amount: number
  currency: Currency
  paidBy: ClaimPayment
  /** The medium that paid, or that gets the refund. */
  mediaId: string | null
  text: string
  happenedAt: Date
  transactionId?: string | null
  /** Of a caller. */
  contact?: string | null
  /** The user who opens it for a caller. */
  openedBy?: { id: string; name: string }
}

/** A claim as it is stored. */
export interface StoredClaim extends Omit<RowOf<typeof Claim>, FromElsewhere> {
  machine_id: string
  answered_by: string | null
  answered_by_name: string | null
  opened_by: string | null
  opened_by_name: string | null
}
type FromElsewhere =
  | 'merchant_name'
  | 'time_zone'
  | 'pos_id'
  | 'pos_name'
  | 'customer_name'
  | 'media_serial'
  | 'answered_by'
  | 'opened_by'
  | 'refunded_amount'

const storedBy = async (db: TenantDb, merchantId: string, id: string): Promise<StoredClaim | undefined> => {
  const { rows } = await sql<StoredClaim>`select claim.* from claims claim
    where ${db.own('claim')} and claim.merchant_id = ${merchantId} and claim.id = ${id}`.execute(db.query)
  return rows[0]
}

/**
 * Stores a claim under the merchant's next number; `isNew` is false for a claim that was sent before. The caller has checked that customer,
 * machine and medium belong together, and announces `claim` after the commit. Throws ClaimIdTaken if a claim of another customer or user has the id.
 */
export async function createClaim(
  db: TenantDb,
  claim: NewClaim,
  at: Date,
): Promise<{ claim: StoredClaim; isNew: boolean }> {
  // The row of the merchant's numbers lets one claim after the other in, so that a repeated one is found.
  await sql`insert into claim_numbers (merchant_id, last) values (${claim.merchantId}, 0)
    on conflict (merchant_id) do nothing`.execute(db.query)
  const { rows } = await sql<{ last: number }>`select numbers.last from claim_numbers numbers
    where ${db.own('numbers')} and numbers.merchant_id = ${claim.merchantId} for update`.execute(db.query)
  const earlier = await storedBy(db, claim.merchantId, claim.id)
  if (earlier) {
    if (earlier.customer_id !== claim.customerId || earlier.opened_by !== (claim.openedBy?.id ?? null))
      throw new ProductError('ClaimIdTaken')
    return { claim: earlier, isNew: false }
  }
  const number = (rows[0]?.last ?? 0) + 1
  await sql`update claim_numbers set last = ${number}::int where merchant_id = ${claim.merchantId}`.execute(db.query)
  await db.query
    .insertInto('claims')
    .values({
      merchant_id: claim.merchantId,
      id: claim.id,
      number,
      customer_id: claim.customerId,
      machine_id: claim.machineId,
      selection: claim.selection,
      amount: claim.amount,
      currency: claim.currency,
      paid_by: claim.paidBy,
      media_id: claim.mediaId,
      text: claim.text,
      happened_at: claim.happenedAt,
      created_at: at,
      transaction_id: claim.transactionId ?? null,
      contact: claim.contact ?? null,
      opened_by: claim.openedBy?.id ?? null,
      opened_by_name: claim.openedBy?.name ?? null,
    })
    .execute()
  const stored = await storedBy(db, claim.merchantId, claim.id)
  if (!stored) throw new Error('The claim was not stored.')
  return { claim: stored, isNew: true }
}

/** The claims of a customer, newest first, with the machine's name; all of them where a person's whole data is read. */
export async function claimsOfCustomer(db: TenantDb, { merchant_id, id }: RecordKey, most: number | null = 500) {
  const { rows } = await sql<StoredClaim & { machine_name: string; refunded: number | null }>`
    select claim.*, machine.name as machine_name, refund.amount as refunded from claims claim
    join machines machine on ${db.own('machine')} and machine.merchant_id = claim.merchant_id and machine.id = claim.machine_id
    left join refunds refund on ${db.own('refund')} and refund.merchant_id = claim.merchant_id and refund.id = claim.refund_id
    where ${db.own('claim')} and claim.merchant_id = ${merchant_id} and claim.customer_id = ${id}
    order by claim.created_at desc, claim.id desc limit ${most}::int`.execute(db.query)
  return rows
}

/** Erases what a customer wrote. Amounts, states and refunds stay, without an owner. */
export async function forgetClaims(db: TenantDb, { merchant_id, id }: RecordKey): Promise<number> {
  const { numAffectedRows } = await sql`update claims set customer_id = null, text = '–', contact = null,
      mail_due_at = null, answer = case when answer is null then null else '–' end
    where merchant_id = ${merchant_id} and customer_id = ${id}`.execute(db.query)
  return Number(numAffectedRows ?? 0n)
}

type Ord = (typeof claimOrds)[number]

/** The newest first by default. */
export const claimOrdering = orderOf<Ord>({
  by: {
    createdAt: sql`claims.created_at`,
    happenedAt: sql`claims.happened_at`,
    number: sql`claims.number`,
    amount: sql`claims.amount`,
    state: sql`claims.state`,
    answeredAt: sql`claims.answered_at`,
    posName: sql`lower(machine.name)`,
    merchant: sql`lower(merchants.name)`,
    paidBy: sql`claims.paid_by`,
    selection: sql`lower(claims.selection)`,
    mediaSerial: sql`media.serial`,
    text: sql`lower(claims.text)`,
    answer: sql`lower(claims.answer)`,
  },
  first: 'createdAt',
  falling: 'all',
  full: ['createdAt', 'happenedAt', 'number', 'amount', 'state'],
  ties: (direction) => sql`claims.id ${direction}`,
})

/** Returns a function that starts a query on the matching claims with their machines, media and customers. */
export async function claimsMatching(db: TenantDb, filters: ClaimFilters) {
  const { search, states, posIds, paidBy, ...period } = filters
  const inside = await inPeriod(db, 'claims', 'created_at', period)
  return () =>
    db
      .from('claims')
      .innerJoin('merchants', 'merchants.id', 'claims.merchant_id')
      .innerJoin('machines as machine', (join) =>
        join.onRef('machine.merchant_id', '=', 'claims.merchant_id').onRef('machine.id', '=', 'claims.machine_id'),
      )
      .where(db.own('machine'))
      .leftJoin('medias as media', (join) =>
        join
          .on(db.own('media'))
          .onRef('media.merchant_id', '=', 'claims.merchant_id')
          .onRef('media.id', '=', 'claims.media_id'),
      )
      .leftJoin('customers as customer', (join) =>
        join
          .on(db.own('customer'))
          .onRef('customer.merchant_id', '=', 'claims.merchant_id')
          .onRef('customer.id', '=', 'claims.customer_id'),
      )
      .leftJoin('refunds as refund', (join) =>
        join
          .on(db.own('refund'))
          .onRef('refund.merchant_id', '=', 'claims.merchant_id')
          .onRef('refund.id', '=', 'claims.refund_id'),
      )
      .where(inside)
      .where(holds(sql`concat_ws(' ', claims.text, media.serial, machine.name, claims.number::text)`, search))
      .where(anyOf('claims.state', states, 'text'))
      .where(anyOf('claims.paid_by', paidBy, 'text'))
      .where(anyOf('claims.machine_id', posIds, 'uuid'))
}

/** The name of the user who answered. */
export const answererOf = (hidden: Hidden) =>
  redactedName(sql`claims.answered_by`, sql`claims.answered_by_name`, hidden)

/** The name of the user who opened a claim for a caller. */
const openerOf = (hidden: Hidden) => redactedName(sql`claims.opened_by`, sql`claims.opened_by_name`, hidden)

/** A page of claims, and their number; `id`: one of them. */
export async function listClaims(
  db: TenantDb,
  query: ClaimFilters & Page & Sorted<Ord>,
  seesInvisible: boolean,
  id?: string,
) {
  const hidden = await hiddenFrom(db, seesInvisible)
  const all = await claimsMatching(db, query)
  const matching = () => all().where(when(id, (one) => sql<boolean>`claims.id = ${one}`))
  const page = await pageOf(db, query, {
    matching,
    order: claimOrdering(query),
    select: (claims) =>
      claims
        .selectAll('claims')
        .$castTo<StoredClaim>()
        .select(['merchants.name as merchant_name', 'merchants.time_zone'])
        .select(['machine.id as pos_id', 'machine.name as pos_name'])
        .select(['customer.name as customer_name', 'media.serial as media_serial', 'refund.amount as refunded_amount'])
        .select([answererOf(hidden).as('answered_by_shown'), openerOf(hidden).as('opened_by_shown')]),
  })
  const of = { amount: sql`claims.amount` }
  return { ...page, totals: await totalsOf(db, matching, { currency: sql`claims.currency`, of }) }
}

/** A claim as a list shows it. */
export type ClaimRow = Awaited<ReturnType<typeof listClaims>>['rows'][number]

/** A claim of the scope, locked until the transaction ends. */
export async function holdClaim(db: TenantDb, id: string): Promise<StoredClaim | undefined> {
  const claim = await db.from('claims').where('claims.id', '=', id).select('claims.merchant_id').executeTakeFirst()
  const row =
    claim &&
    (await db
      .from('claims')
      .where('claims.merchant_id', '=', claim.merchant_id)
      .where('claims.id', '=', id)
      .selectAll('claims')
      .forUpdate('claims')
      .executeTakeFirst())
  return row as StoredClaim | undefined
}

/** The number of the claim that was refunded for a sale; a sale has one such claim at most. */
export async function claimOfSale(
  db: TenantDb,
  merchantId: string,
  transactionId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`select claim.number from claims claim
    where ${db.own('claim')} and claim.merchant_id = ${merchantId} and claim.transaction_id = ${transactionId}
      and claim.state = 'refunded'`.execute(db.query)
  return rows[0]?.number
}

/** Closes a claim; its customer gets a mail. The caller holds it. */
export const closeClaim = (
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  closed: {
    state: Exclude<ClaimState, 'open'>
    answer: string | null
    at: Date
    user: { id: string; name: string }
    refundId?: string
    transactionId?: string | null
  },
) =>
  db.query
    .updateTable('claims')
    .set({
      state: closed.state,
      answer: closed.answer,
      answered_at: closed.at,
      mail_due_at: closed.at,
      answered_by: closed.user.id,
      answered_by_name: closed.user.name,
      refund_id: closed.refundId ?? null,
      ...(closed.transactionId !== undefined && { transaction_id: closed.transactionId }),
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
