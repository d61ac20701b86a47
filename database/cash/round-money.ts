import { sql } from 'kysely'
import type { ChangeFundKind, OpenChangeFund } from '#contract/cash/round-money.ts'
import type { CollectionStatus } from '#contract/vocabulary/cash.ts'
import type { RecordKey } from '../frame/records.ts'
import { type Hidden, redactedName } from '../frame/redacted-name.ts'
import type { RowOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { figuresOf, isWithheld } from './collection-figures.ts'

/** The round of an id with its driver, and its currency; undefined out of scope. */
export const roundOf = (db: TenantDb, id: string) =>
  db
    .from('rounds')
    .innerJoin('merchants', 'merchants.id', 'rounds.merchant_id')
    .where('rounds.id', '=', id)
    .select(['rounds.id', 'rounds.merchant_id', 'rounds.assignee_id', 'rounds.assignee_name', 'merchants.currency'])
    .executeTakeFirst()

export interface StopMoneyRow {
  stop_id: string
  machine_id: string
  machine_name: string
  visit_id: string | null
  collected_at: Date | null
  collected_by: string | null
  bag_number: string | null
  collection_id: string | null
  status: CollectionStatus | null
  is_withheld: boolean | null
  counted: number | null
  expected: number | null
}

/** The stops of a round that the scope sees, each with the visits that took its cash box and their collections. */
export async function moneyOfStops(db: TenantDb, { merchant_id, id }: RecordKey, hidden: Hidden) {
  const { rows } = await sql<StopMoneyRow>`
    select stop.id as stop_id, stop.machine_id, machine.name as machine_name, v.id as visit_id, v.at as collected_at,
      ${redactedName(sql`v.user_id`, sql`v.user_name`, hidden)} as collected_by, coalesce(c.bag_number, v.bag_number) as bag_number,
      c.id as collection_id, c.status, ${isWithheld(db)} as is_withheld, c.counted_total as counted, known.expected
    from round_stops stop
    join machines machine on ${db.own('machine')} and machine.merchant_id = stop.merchant_id and machine.id = stop.machine_id
    left join visits v on ${db.own('v')} and v.merchant_id = stop.merchant_id and v.machine_id = stop.machine_id
      and v.stop_id = stop.id and v.cash_taken
    left join collection_sources s on ${db.own('s')} and s.merchant_id = v.merchant_id and s.source = 'visit' and s.source_id = v.id
    left join collections c on ${db.own('c')} and c.merchant_id = s.merchant_id and c.id = s.collection_id
    left join lateral ${figuresOf(db)} known on true
    where ${db.narrow('round_stops', 'stop')} and stop.merchant_id = ${merchant_id} and stop.round_id = ${id}
    order by stop.position, stop.id, v.at, v.id`.execute(db.query)
  return rows
}

/** The entries of a round's change fund, the oldest first. */
export async function fundOf(db: TenantDb, { merchant_id, id }: RecordKey, hidden: Hidden) {
  const rows = await db
    .from('change_fund_entries')
    .where('merchant_id', '=', merchant_id)
    .where('round_id', '=', id)
    .select(['id', 'amount', 'at', 'note', 'driver_id', 'driver_name', 'kind'])
    .select(redactedName(sql`user_id`, sql`user_name`, hidden).as('by'))
    .orderBy('at')
    .orderBy('id')
    .execute()
  // Cast: the column's check has the kinds.
  return rows.map((row) => ({ ...row, kind: row.kind as ChangeFundKind }))
}

/** An entry by its id, of any round of the merchant. */
export const fundEntry = (db: TenantDb, merchantId: string, id: string) =>
  db
    .from('change_fund_entries')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .select(['round_id', 'kind', 'amount', 'note'])
    .executeTakeFirst()

interface NewEntry {
  merchant_id: string
  id: string
  round_id: string
  driver_id: string | null
  driver_name: string | null
  kind: ChangeFundKind
  amount: number
  at: Date
  user_id: string
  user_name: string
  note: string | null
}

export const addFundEntry = (db: TenantDb, entry: NewEntry) =>
  db.query.insertInto('change_fund_entries').values(entry).execute()

/** Drivers with change that is not returned, the largest amount first. */
export async function openFunds(db: TenantDb) {
  const { rows } = await sql<RowOf<typeof OpenChangeFund>>`
    select f.merchant_id, merchants.name as merchant_name, merchants.currency, f.driver_id, max(f.driver_name) as driver_name,
      sum(f.open)::bigint as open, count(*)::int as rounds, min(f.since) as since
    from (
      select e.merchant_id, e.round_id, e.driver_id, max(e.driver_name) as driver_name, min(e.at) as since,
        sum(case when e.kind = 'given' then e.amount else -e.amount end) as open
      from change_fund_entries e where ${db.narrow('change_fund_entries', 'e')} group by 1, 2, 3
    ) f join merchants on merchants.id = f.merchant_id
    where f.open > 0
    group by f.merchant_id, merchants.name, merchants.currency, f.driver_id
    order by sum(f.open) desc, f.driver_id`.execute(db.query)
  return rows
}
