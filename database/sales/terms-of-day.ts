import { type RawBuilder, sql } from 'kysely'
import type { SaleTerms } from '#contract/sales/terms.ts'
import type { Period } from '#domain/time/period.ts'
import { anyOf } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'

/*
 * Readers of the terms of a day: a former row if one held on it, otherwise the record as it is.
 */

type FormerTable = 'former_product_terms' | 'former_product_codes' | 'former_machine_places' | 'former_client_terms'
const subject = {
  former_product_terms: 'product_id',
  former_product_codes: 'code',
  former_machine_places: 'machine_id',
  former_client_terms: 'client_id',
} as const satisfies Record<FormerTable, string>

/** The first days of the stretches of a period in which no terms of these tables changed. None: nothing has changed since its first day. */
export async function stretchesOf(
  db: TenantDb,
  { startDate, endDate }: Period,
  tables: readonly FormerTable[],
): Promise<string[]> {
  if (tables.length === 0) return []
  const { rows } = await sql<{ until: string }>`
    select distinct until::text from (${sql.join(
      tables.map(
        (table) => sql`
        select f.until from ${sql.table(table)} f where ${db.own('f')} and f.until > ${startDate}::date`,
      ),
      sql` union all `,
    )}) f order by 1`.execute(db.query)
  if (rows.length === 0) return []
  return [startDate, ...rows.map(({ until }) => until).filter((day) => day <= endDate)]
}

/** The first day of the stretch in which a day is; few days to join terms by. */
export const stretchOf = (stretches: readonly string[], day: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${stretches}::date[])[width_bucket(${day}, ${stretches}::date[])]`

/** A join of former terms `alias` that held on `x.day`, by the id of their subject; all null without any. */
export const joinFormer = (
  db: TenantDb,
  table: FormerTable,
  alias: string,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const key = sql.ref(subject[table])
  return sql`left join (
      select f.*, lag(f.until) over (partition by f.merchant_id, f.${key} order by f.until) as since
      from ${sql.table(table)} f where ${db.own('f')}
    ) ${sql.ref(alias)} on ${sql.ref(alias)}.merchant_id = x.merchant_id and ${sql.ref(alias)}.${key} = ${id}
      and x.day < ${sql.ref(alias)}.until and x.day >= coalesce(${sql.ref(alias)}.since, '-infinity')`
}

/** A column of former terms where they held, otherwise of the record. */
export const termOf = (former: string | undefined, record: string, column: string): RawBuilder<unknown> =>
  former === undefined
    ? sql.ref(`${record}.${column}`)
    : sql`case when ${sql.ref(`${former}.until`)} is null then ${sql.ref(`${record}.${column}`)} else ${sql.ref(`${former}.${column}`)} end`

export interface PlaceFilters {
  groupIds?: readonly string[] | undefined
  clientIds?: readonly string[] | undefined
  terms?: SaleTerms | undefined
}

/** A machine of a row, with its merchant and the row's local day. */
export interface RowOfMachine {
  merchantId: RawBuilder<unknown>
  machineId: RawBuilder<unknown>
  day: RawBuilder<unknown>
}

const formerPlaces = (db: TenantDb, { merchantId, machineId, day }: RowOfMachine) => sql`
  former_machine_places f where ${db.own('f')} and f.merchant_id = ${merchantId} and f.machine_id = ${machineId} and f.until > ${day}`

/** The condition that a row's machine had none of these, a group or a client, on the row's day or, by `terms`, has none today. */
export const hadNo = (
  db: TenantDb,
  column: 'group_id' | 'client_id',
  row: RowOfMachine,
  terms: SaleTerms | undefined,
): RawBuilder<boolean> => {
  const { merchantId, machineId } = row
  const none = sql<boolean>`exists (select 1 from machines own where ${db.own('own')} and own.merchant_id = ${merchantId}
    and own.id = ${machineId} and ${sql.ref(`own.${column}`)} is null)`
  return terms === 'ofDay'
    ? sql<boolean>`coalesce((select ${sql.ref(`f.${column}`)} is null from ${formerPlaces(db, row)} order by f.until limit 1), ${none})`
    : none
}

/** The condition that a row's machine was in the chosen groups and at the chosen clients on the row's day or, by `terms`, is today. */
export function wasAt(
  db: TenantDb,
  { groupIds, clientIds, terms }: PlaceFilters,
  row: RowOfMachine,
): RawBuilder<boolean> {
  if (!groupIds?.length && !clientIds?.length) return sql<boolean>`true`
  const isAt = (alias: string) =>
    sql`${anyOf(`${alias}.group_id`, groupIds, 'uuid')} and ${anyOf(`${alias}.client_id`, clientIds, 'uuid')}`
  const { merchantId, machineId } = row
  const isThere = sql<boolean>`(${merchantId}, ${machineId}) in (select p.merchant_id, p.id from machines p where ${db.own('p')} and ${isAt('p')})`
  if (terms !== 'ofDay') return isThere
  // Most machines have never moved: only the others are searched by day.
  return sql<boolean>`case when (${merchantId}, ${machineId}) in (select f.merchant_id, f.machine_id from former_machine_places f where ${db.own('f')})
    then coalesce((select coalesce(${isAt('f')}, false) from ${formerPlaces(db, row)} order by f.until limit 1), ${isThere})
    else ${isThere} end`
}

/** A machine's code of a row, with its merchant and the row's local day. */
interface RowOfCode {
  merchantId: RawBuilder<unknown>
  code: RawBuilder<unknown>
  day: RawBuilder<unknown>
}

/**
 * A query of the product that a code meant on a day, with the columns `name`, `product_type` and `parameters`: a product that was deleted
 * since, otherwise today's. By `terms` always today's. No row for an unmapped code.
 */
export const productSold = (
  db: TenantDb,
  { merchantId, code, day }: RowOfCode,
  terms: SaleTerms | undefined,
): RawBuilder<unknown> => {
  const live = sql`select live.name, live.product_type, live.parameters, 1 as place from product_codes c
    join products live on ${db.own('live')} and live.merchant_id = c.merchant_id and live.id = c.product_id
    where ${db.own('c')} and c.merchant_id = ${merchantId} and c.code = ${code}`
  if (terms !== 'ofDay') return live
  return sql`(select gone.name, gone.product_type, gone.parameters, 0 as place from former_product_codes f
      join deleted_products gone on ${db.own('gone')} and gone.merchant_id = f.merchant_id and gone.id = f.product_id
      where ${db.own('f')} and f.merchant_id = ${merchantId} and f.code = ${code} and f.until > ${day} order by f.until limit 1)
    union all (${live}) order by place limit 1`
}
