import { sql } from 'kysely'
import { type CustomerFilters, customerFigureDays } from '#contract/cashless/customer.ts'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { when } from '../frame/conditions.ts'
import { totalsOf } from '../frame/list.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Media `me` of the customer. */
const mediasOf = (db: TenantDb) => sql`medias me where ${db.own('me')} and me.merchant_id = customers.merchant_id
  and me.customer_id = customers.id`

/** The first instant of the last 30 days of the merchant, today included: the days of `lastDays`. */
const since = sql`(select start_of_day((now() at time zone m.time_zone)::date - ${sql.lit(customerFigureDays - 1)}, m.time_zone)
  from merchants m where m.id = customers.merchant_id)`

/** Positive entries `e` on their media in the last 30 days, of operations `o`. */
const credited = (db: TenantDb, kinds: readonly string[]) => sql<number>`coalesce((
  select sum(e.amount) from medias me
  join ledger_accounts a on ${db.own('a')} and a.merchant_id = me.merchant_id and a.owner_id = me.id and a.kind in ('credit', 'bonus')
  join ledger_entries e on ${db.own('e')} and e.merchant_id = a.merchant_id and e.account_id = a.id and e.amount > 0
  join ledger_operations o on ${db.own('o')} and o.merchant_id = e.merchant_id and o.id = e.operation_id
  where ${db.own('me')} and me.merchant_id = customers.merchant_id and me.customer_id = customers.id
    and o.at >= ${since} and o.kind = any(${kinds}::text[])), 0)::bigint`

/** Values of transactions `t` of their media in the last 30 days, at machines that the reader may see. */
const traded = (db: TenantDb, types: readonly number[]) => sql<number>`coalesce((
  select sum(t.value) from medias me
  join transactions t on ${db.narrow('transactions', 't')} and t.merchant_id = me.merchant_id and t.media_serial = me.serial
    and t.media_serial <> 'FFFFFFFF' and t.created_at >= ${since} and t.type = any(${types}::int[]) and not t.error_sale
  where ${db.own('me')} and me.merchant_id = customers.merchant_id and me.customer_id = customers.id), 0)::bigint`

/** Operations that give a customer credit. */
const creditKinds = ['recharge', 'machineRecharge', 'refund', 'bonus', 'correction'] as const

/** Type 4 of the transactions: credit that was paid in at a machine. */
const recharge = 4

/** Writes a consent, with the time of its change. Null: it was never given. */
export const writeConsent =
  (column: 'consent_analysis' | 'consent_communications' | 'consent_quality') =>
  async (db: TenantDb, { merchant_id, id }: RecordKey, isGiven: boolean): Promise<void> => {
    await sql`update customers customer set ${sql.ref(column)} = ${isGiven},
      ${sql.ref(`${column}_at`)} = case when ${isGiven} or customer.${sql.ref(column)} then ${new Date()}::timestamptz end
      where ${db.own('customer')} and customer.merchant_id = ${merchant_id} and customer.id = ${id}`.execute(db.query)
  }

const consent = (column: string, consented: boolean | undefined) =>
  when(consented, (expected) => sql<boolean>`${sql.ref(`customers.${column}`)} = ${expected}`)

/** Customers with their figures. */
export const customerList = recordList({
  list: 'customers',
  table: 'customers',
  where: (db, filters) => [
    when(filters.hasMedias, (expected) => sql<boolean>`exists (select 1 from ${mediasOf(db)}) = ${expected}`),
    consent('consent_analysis', filters.consentAnalysis),
    consent('consent_communications', filters.consentCommunications),
    consent('consent_quality', filters.consentQuality),
  ],
  beside: {
    currency: () => sql<Currency>`(select m.currency from merchants m where m.id = customers.merchant_id)`,
    medias: (db: TenantDb) => sql<number>`(select count(*)::int from ${mediasOf(db)})`,
    last_used_at: (db: TenantDb) => sql<Date | null>`(select max(me.last_used_at) from ${mediasOf(db)})`,
    active_bonus: (db: TenantDb) => sql<number>`coalesce((select sum(a.balance) from medias me
      join ledger_accounts a on ${db.own('a')} and a.merchant_id = me.merchant_id and a.owner_id = me.id and a.kind = 'bonus'
      where ${db.own('me')} and me.merchant_id = customers.merchant_id and me.customer_id = customers.id), 0)::bigint`,
    credit30_days: (db: TenantDb) => credited(db, creditKinds),
    recharges30_days: (db: TenantDb) => sql<number>`(${credited(db, ['recharge'])} + ${traded(db, [recharge])})`,
    sales30_days: (db: TenantDb) => traded(db, saleTypes),
  },
})

/** Media with an owner, each `of_customer`, of merchants `m`. */
const ownedMedias = (db: TenantDb) => sql`medias me join merchants m on m.id = me.merchant_id
  and ${db.own('me')} and me.customer_id is not null`
/** The first instant of the last 30 days of a merchant `m`. */
const sinceOfMerchant = sql`start_of_day((now() at time zone m.time_zone)::date - ${sql.lit(customerFigureDays - 1)}, m.time_zone)`

const mediaCounts = (db: TenantDb) => sql<{ merchant_id: string; of_customer: string; medias: number; bonus: number }>`(
  select me.merchant_id, me.customer_id as of_customer, count(distinct me.id) as medias, sum(a.balance) as bonus
  from ${ownedMedias(db)}
  left join ledger_accounts a on ${db.own('a')} and a.merchant_id = me.merchant_id and a.owner_id = me.id and a.kind = 'bonus'
  group by 1, 2)`
const creditedToAll = (db: TenantDb) => sql<{
  merchant_id: string
  of_customer: string
  credit: number
  recharges: number
}>`(
  select me.merchant_id, me.customer_id as of_customer, sum(e.amount) as credit, sum(e.amount) filter (where o.kind = 'recharge') as recharges
  from ${ownedMedias(db)}
  join ledger_accounts a on ${db.own('a')} and a.merchant_id = me.merchant_id and a.owner_id = me.id and a.kind in ('credit', 'bonus')
  join ledger_entries e on ${db.own('e')} and e.merchant_id = a.merchant_id and e.account_id = a.id and e.amount > 0
  join ledger_operations o on ${db.own('o')} and o.merchant_id = e.merchant_id and o.id = e.operation_id and o.at >= ${sinceOfMerchant}
    and o.kind = any(${[...creditKinds]}::text[])
  group by 1, 2)`
const tradedByAll = (db: TenantDb) => sql<{
  merchant_id: string
  of_customer: string
  recharges: number
  sales: number
}>`(
  select me.merchant_id, me.customer_id as of_customer, sum(t.value) filter (where t.type = ${recharge}) as recharges,
    sum(t.value) filter (where t.type <> ${recharge}) as sales
  from ${ownedMedias(db)}
  join transactions t on ${db.narrow('transactions', 't')} and t.merchant_id = me.merchant_id and t.media_serial = me.serial
    and t.media_serial <> 'FFFFFFFF' and t.created_at >= ${sinceOfMerchant} and t.type = any(${[recharge, ...saleTypes]}::int[])
    and not t.error_sale
  group by 1, 2)`

/** The sums of the customers that match, by currency: each table is read once, not customer by customer. */
export async function totalCustomers(db: TenantDb, filters: CustomerFilters): Promise<ListTotal[]> {
  const { where } = await customerList.matching(db, filters)
  const matching = () =>
    db
      .from('customers')
      .where(where)
      .innerJoin('merchants', 'merchants.id', 'customers.merchant_id')
      .leftJoin(mediaCounts(db).as('counted'), (join) =>
        join
          .onRef('counted.merchant_id', '=', 'customers.merchant_id')
          .onRef('counted.of_customer', '=', 'customers.id'),
      )
      .leftJoin(creditedToAll(db).as('credited'), (join) =>
        join
          .onRef('credited.merchant_id', '=', 'customers.merchant_id')
          .onRef('credited.of_customer', '=', 'customers.id'),
      )
      .leftJoin(tradedByAll(db).as('traded'), (join) =>
        join.onRef('traded.merchant_id', '=', 'customers.merchant_id').onRef('traded.of_customer', '=', 'customers.id'),
      )
  return totalsOf(db, matching, {
    currency: sql`merchants.currency`,
    of: {
      medias: sql`coalesce(counted.medias, 0)`,
      activeBonus: sql`coalesce(counted.bonus, 0)`,
      credit30Days: sql`coalesce(credited.credit, 0)`,
      recharges30Days: sql`coalesce(credited.recharges, 0) + coalesce(traded.recharges, 0)`,
      sales30Days: sql`coalesce(traded.sales, 0)`,
    },
  })
}

export type CustomerRow = NonNullable<Awaited<ReturnType<typeof customerList.find>>>
type Key = { merchant_id: string; id: string }

/** The payment cards of a customer, the last used first. Never the provider's token. */
export const cardsOf = (db: TenantDb, { merchant_id, id }: Key) =>
  db
    .from('customer_cards')
    .where('customer_cards.merchant_id', '=', merchant_id)
    .where('customer_cards.customer_id', '=', id)
    .select(['type', 'last_four', 'expiry_month', 'expiry_year', 'is_saved', 'last_used_at'])
    .orderBy(sql`last_used_at desc nulls last`)
    .orderBy('id')
    .execute()

/** Takes a customer off all media, whose credit and history stay. Returns their number. */
export async function releaseMedias(db: TenantDb, { merchant_id, id }: Key): Promise<number> {
  const { rows } = await sql`update medias set customer_id = null, version = version + 1
    where merchant_id = ${merchant_id} and customer_id = ${id} returning id`.execute(db.query)
  return rows.length
}

/** All that is stored about the media of a customer: who asks for their data gets it whole, whatever the groups of the user. */
export async function dataOfMedias(db: TenantDb, { merchant_id, id }: Key) {
  const rowsOf = async (query: ReturnType<typeof sql<Record<string, unknown>>>) => (await query.execute(db.query)).rows
  const ofCustomer = sql`medias me where ${db.own('me')} and me.merchant_id = ${merchant_id} and me.customer_id = ${id}`
  const medias = await rowsOf(sql`select me.id, me.serial, me.type, me.status, me.key_credit, me.bonus_free_sales,
    me.last_used_at, me.registered_at from ${ofCustomer} order by me.id`)
  const mediaIds = medias.map((media) => String(media.id))
  const serials = medias.map((media) => String(media.serial))
  return {
    medias,
    operations: await rowsOf(sql`select o.media_id, o.kind, o.at, o.note, a.kind as account, e.amount
      from ledger_accounts a
      join ledger_entries e on ${db.own('e')} and e.merchant_id = a.merchant_id and e.account_id = a.id
      join ledger_operations o on ${db.own('o')} and o.merchant_id = e.merchant_id and o.id = e.operation_id
      where ${db.own('a')} and a.merchant_id = ${merchant_id} and a.owner_id = any(${mediaIds}::uuid[])
        and a.kind in ('credit', 'bonus') order by o.id`),
    refunds: await rowsOf(sql`select r.media_id, r.kind, r.state, r.amount, r.reason, r.created_at
      from refunds r where ${db.own('r')} and r.merchant_id = ${merchant_id} and r.media_id = any(${mediaIds}::uuid[]) order by r.id`),
    transactions:
      await rowsOf(sql`select t.id, t.media_serial, t.type, t.product, t.value, t.value_charge, t.error_sale, t.created_at
      from transactions t where ${db.own('t')} and t.merchant_id = ${merchant_id} and t.media_serial = any(${serials}::text[])
        and t.media_serial <> 'FFFFFFFF' order by t.created_at, t.id`),
  }
}
