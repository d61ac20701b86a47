import { sql } from 'kysely'
import type { CollectionStatus, DepositStatus } from '#contract/vocabulary/cash.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { among, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** `depositStatusOf` for filters, orders and files. */
const status = sql<DepositStatus>`(case when deposits.credited is null then 'open'
  when deposits.credited = deposits.amount then 'credited' else 'differs' end)`

/** The collections `c` of a deposit, whose group plays no part: a slip has one amount. */
const depositedAt = (db: TenantDb) => sql`deposited_collections d
  join collections c on ${db.own('c')} and c.merchant_id = d.merchant_id and c.id = d.collection_id
  where ${db.own('d')} and d.merchant_id = deposits.merchant_id and d.deposit_id = deposits.id`
const counted = (db: TenantDb) =>
  sql<number>`(select coalesce(sum(c.counted_total), 0)::bigint from ${depositedAt(db)})`
const currency = sql<Currency>`(select m.currency from merchants m where m.id = deposits.merchant_id)`

/** Bank deposits with what was counted of their collections. */
export const depositList = recordList({
  list: 'deposits',
  table: 'deposits',
  full: ['day', 'amount'],
  sums: { of: ['collectionCount', 'counted', 'amount', 'credited'], currency },
  where: (_, { statuses, startDate, endDate }) => [
    when(statuses, (some) => sql<boolean>`${status} = any(${some}::text[])`),
    when(startDate, (day) => sql<boolean>`deposits.day >= ${day}::date`),
    when(endDate, (day) => sql<boolean>`deposits.day <= ${day}::date`),
  ],
  beside: {
    currency: () => currency,
    status: () => status,
    collection_count: (db: TenantDb) => sql<number>`(select count(*)::int from ${depositedAt(db)})`,
    counted,
    difference: (db: TenantDb) => sql<number>`(deposits.amount - ${counted(db)})`,
    bank_difference: () => sql<number | null>`(deposits.credited - deposits.amount)`,
  },
})

interface DepositedRow {
  id: string
  machine_id: string
  machine_name: string
  at: Date
  bag_number: string | null
  status: CollectionStatus
  counted: number
}

/** A deposit with its collections, the oldest first; undefined outside the scope. */
export async function findDeposit(db: TenantDb, id: string) {
  const row = await depositList.find(db, id)
  if (!row) return undefined
  const { rows: collections } = await sql<DepositedRow>`
    select c.id, c.machine_id, machine.name as machine_name, c.at, c.bag_number, c.status, coalesce(c.counted_total, 0) as counted
    from deposited_collections d
    join collections c on ${db.own('c')} and c.merchant_id = d.merchant_id and c.id = d.collection_id
    join machines machine on ${db.own('machine')} and machine.merchant_id = c.merchant_id and machine.id = c.machine_id
    where ${db.own('d')} and d.merchant_id = ${row.merchant_id} and d.deposit_id = ${id}
    order by c.at, c.id`.execute(db.query)
  return { ...row, collections, collection_ids: collections.map((collection) => collection.id) }
}
export type DepositRecord = NonNullable<Awaited<ReturnType<typeof findDeposit>>>

/** The collections of a merchant, locked until the transaction ends, each with the slip of the deposit that it is in. */
export async function holdDepositable(db: TenantDb, merchantId: string, ids: readonly string[]) {
  const held = await db.query
    .selectFrom('collections')
    .where(db.own('collections'))
    .where('collections.merchant_id', '=', merchantId)
    .where(among('collections.id', ids, 'uuid'))
    .select(['collections.id', 'collections.status'])
    .orderBy('collections.id')
    .forNoKeyUpdate()
    .execute()
  const deposited = await db.query
    .selectFrom('deposited_collections')
    .innerJoin('deposits', (join) =>
      join
        .onRef('deposits.merchant_id', '=', 'deposited_collections.merchant_id')
        .onRef('deposits.id', '=', 'deposited_collections.deposit_id'),
    )
    .where(db.own('deposited_collections'))
    .where('deposited_collections.merchant_id', '=', merchantId)
    .where(among('deposited_collections.collection_id', ids, 'uuid'))
    .select(['deposited_collections.collection_id', 'deposits.id', 'deposits.reference'])
    .execute()
  const slips = new Map(deposited.map(({ collection_id, id, reference }) => [collection_id, { id, reference }]))
  // Cast: the column's check has the statuses.
  return held.map((row) => ({ id: row.id, status: row.status as CollectionStatus, deposit: slips.get(row.id) }))
}

/** Replaces the collections of a deposit; the caller holds the new ones. */
export async function writeDeposited(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  collectionIds: readonly string[],
): Promise<void> {
  await sql`delete from deposited_collections d
    where ${db.own('d')} and d.merchant_id = ${merchant_id} and d.deposit_id = ${id}`.execute(db.query)
  if (collectionIds.length === 0) return
  await db.query
    .insertInto('deposited_collections')
    .values(collectionIds.map((collection_id) => ({ merchant_id, collection_id, deposit_id: id })))
    .execute()
}
