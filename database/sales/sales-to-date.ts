import { type RawBuilder, sql } from 'kysely'
import type { StatsFilters } from '#contract/sales/transaction.ts'
import { backTypes, saleTypes } from '#contract/vocabulary/transaction.ts'
import { among, anyOf } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { amounts } from '../sums/group-hours.ts'
import { marksOf, placeOfMorning, sumsAt } from '../sums/to-date.ts'
import { isSale } from './sales.ts'
import { daysOf, stretchOf } from './summed-sales.ts'
import { wasAt } from './terms-of-day.ts'

/*
 * Sales of a period from sums to date, whose cost depends neither on its days nor on the hours that are packed. A machine, place or product that sold
 * nothing in the period may have a row of zeros.
 */

/** The type that stands for all vends. */
const anySale = saleTypes[0] ?? 1

const isTypes = (given: readonly number[], wanted: readonly number[]) =>
  given.length === wanted.length && wanted.every((type) => given.includes(type))

/** The sums by machine of these types; undefined where only sums of days have them. */
function sumsOfTypes(given: readonly number[] | undefined): '' | 'sold_' | undefined {
  if (given === undefined || given.length === 0) return ''
  return isTypes(given, saleTypes) ? 'sold_' : undefined
}

/** Whether sums to date by machine can answer: they do not know media and products, nor places of former days without their `stretches`. */
export const areToDate = (filters: StatsFilters, stretches: readonly string[] | undefined): boolean => {
  const { mediaTypes, mediaSources, products, groupIds, clientIds, terms } = filters
  const isOfFormerPlaces = terms === 'ofDay' && [groupIds, clientIds].some((ids) => ids?.length)
  return (
    ![mediaTypes, mediaSources, products].some((some) => some?.length) &&
    sumsOfTypes(filters.types) !== undefined &&
    (!isOfFormerPlaces || stretches !== undefined)
  )
}

const isBack = (alias: string) => among(`${alias}.type`, backTypes, 'int')
const isOfDays = (filters: StatsFilters) => sql`t.day = any(array(${daysOf(stretchOf(filters))}))`
const backOf = sql`case when ${isBack('t')} then abs(t.value) else 0 end`

/**
 * Sums `s` by machine, beside their merchants `m`, each with the first `day` of its stretch, and with `back`. Of packed hours without their types: as vends
 * if these are wanted. Open hours have their own day and type.
 */
export function machineSales(
  db: TenantDb,
  filters: StatsFilters,
  {
    stretches = [],
    isSold = sumsOfTypes(filters.types) === 'sold_',
  }: { stretches?: readonly string[]; isSold?: boolean } = {},
): RawBuilder<unknown> {
  const at = (day: RawBuilder<unknown>) =>
    wasAt(db, filters, { merchantId: sql`t.merchant_id`, machineId: sql`t.machine_id`, day })
  const isMeant = sql`${db.narrow('machine_sales_to_date', 't')} and ${anyOf('t.machine_id', filters.posIds, 'uuid')}`
  const as = { ...Object.fromEntries(amounts.map((name) => [name, isSold ? `sold_${name}` : name])), back: 'back' }
  const sums = sumsAt(db, 'machine', marksOf(filters, stretches), sql`${isMeant} and ${at(sql`mark.first`)}`, as)
  return sql`merchants m cross join lateral (
      select x.merchant_id, x.machine_id, x.first as day, ${sql.lit(anySale)}::int as type, ${sql.join([...amounts, 'back'].map((name) => sql.ref(`x.${name}`)))} from (${sums}) x
      union all
      select * from (
        select t.merchant_id, t.machine_id, t.day, t.type, ${sql.join(amounts.map((name) => sql.ref(`t.${name}`)))}, ${backOf} as back
        from open_sales_hourly t where ${db.narrow('open_sales_hourly', 't')} and t.merchant_id = m.id and ${isOfDays(filters)}
          and ${anyOf('t.type', filters.types, 'int')} and ${anyOf('t.machine_id', filters.posIds, 'uuid')} and ${at(sql`t.day`)} offset 0
      ) t
    ) s
    where ${db.narrow('merchants', 'm')}`
}

/**
 * Vends, and what machines paid back, as sums `s` by product, beside their merchants `m`: of places (`group_id`, `client_id`) where machines were on the
 * first `day` of a stretch, or of a `machine_id` on a day. Only for whole merchants, without a choice of machines.
 */
export function placeSales(
  db: TenantDb,
  filters: StatsFilters,
  stretches: readonly string[] = [],
): RawBuilder<unknown> {
  const { groupIds, clientIds, terms, startDate, endDate } = filters
  const isThere = (alias: string) =>
    sql`${anyOf(`${alias}.group_id`, groupIds, 'uuid')} and ${anyOf(`${alias}.client_id`, clientIds, 'uuid')}`
  const wasThere = wasAt(db, filters, { merchantId: sql`t.merchant_id`, machineId: sql`t.machine_id`, day: sql`t.day` })
  const names = ['count', 'value', 'free_count', 'error_count'] as const
  const isMeant = among('t.type', [...saleTypes, ...backTypes], 'int')
  const own = (alias: string) => db.own(alias)
  // Where machines are not where they began the day.
  const moved =
    terms === 'ofDay'
      ? sql`select f.machine_id, f.until as first, f.until as last from former_machine_places f
          where ${own('f')} and f.merchant_id = m.id and f.until between ${startDate}::date and ${endDate}::date`
      : sql`select f.machine_id, ${startDate}::date as first, least(max(f.until), ${endDate}::date) as last from former_machine_places f
          where ${own('f')} and f.merchant_id = m.id and f.until >= ${startDate}::date group by 1`
  const ofMoved = sql`(${moved}) moved cross join lateral (
      select t.* from product_sales_daily t where ${own('t')} and t.merchant_id = m.id and t.machine_id = moved.machine_id
        and t.day = any(array(select d.day::date from generate_series(moved.first::timestamp, moved.last::timestamp, '1 day') as d (day))) and ${isMeant} offset 0
    ) t`
  const ofMachine = (sign: 1 | -1, place: RawBuilder<unknown>, machine: RawBuilder<unknown>) => sql`
    ${machine} as machine_id, ${place}, t.product, t.day, t.type, ${sql.join(names.map((name) => sql`${sql.lit(sign)} * t.${sql.ref(name)} as ${sql.ref(name)}`))},
    ${sql.lit(sign)} * (${backOf}) as back`
  const unplaced = sql`null::uuid as group_id, null::uuid as client_id`
  const summed = [...names, 'back']
  const sums = sumsAt(
    db,
    'place',
    marksOf(filters, stretches),
    sql`${db.narrow('place_products_to_date', 't')} and ${isThere('t')}`,
    Object.fromEntries(summed.map((name) => [name, name])),
  )
  return sql`merchants m cross join lateral (
      select null::uuid as machine_id, x.group_id, x.client_id, x.product, x.first as day, ${sql.lit(anySale)}::int as type, ${sql.join(summed.map((name) => sql.ref(`x.${name}`)))} from (${sums}) x
      union all
      select * from (
        select ${ofMachine(1, unplaced, sql`t.machine_id`)} from open_sales_hourly t
        where ${own('t')} and t.merchant_id = m.id and ${isOfDays(filters)} and ${isMeant} and ${wasThere} offset 0
      ) t
      union all
      select ${ofMachine(1, unplaced, sql`t.machine_id`)} from ${ofMoved} where ${wasThere}
      union all
      select ${ofMachine(-1, sql`w.group_id, w.client_id`, sql`null::uuid`)} from (select t.* from ${ofMoved}) t
      cross join lateral (select t.merchant_id, t.machine_id, t.day) s ${placeOfMorning(own)} where ${isThere('w')}
    ) s
    where ${db.narrow('merchants', 'm')}`
}

/** All transactions, as sums `s` by machine, product and type, beside their merchants `m`, each with its own `day`. */
export function machineProducts(db: TenantDb, filters: StatsFilters): RawBuilder<unknown> {
  const names = ['count', 'value', 'free_count', 'error_count'] as const
  const isMeant = sql`t.merchant_id = m.id and ${isOfDays(filters)} and ${anyOf('t.machine_id', filters.posIds, 'uuid')}
    and ${wasAt(db, filters, { merchantId: sql`t.merchant_id`, machineId: sql`t.machine_id`, day: sql`t.day` })}`
  const elements = ['type', 'product', ...names].map(
    (name) => sql`unnest(t.${sql.ref(`day_${name}`)}) as ${sql.ref(name)}`,
  )
  return sql`merchants m cross join lateral (
      select x.merchant_id, x.machine_id, x.day, x.type, x.product, ${sql.join(names.map((name) => sql`coalesce(x.${sql.ref(name)}, 0) as ${sql.ref(name)}`))}
      from (
        select t.merchant_id, t.machine_id, t.day, ${sql.join(elements)} from packed_sales_days t
        where ${db.narrow('packed_sales_days', 't')} and ${isMeant} offset 0
      ) x
      union all
      select * from (
        select t.merchant_id, t.machine_id, t.day, t.type, t.product, ${sql.join(names.map((name) => sql.ref(`t.${name}`)))} from open_sales_hourly t
        where ${db.narrow('open_sales_hourly', 't')} and ${isMeant} offset 0
      ) t
    ) s
    where ${db.narrow('merchants', 'm')}`
}

/** The sum of an amount of vends; null without vends, as in sums of days. */
export const ofVends = (name: string): RawBuilder<unknown> =>
  sql`case when sum(s.count) filter (where ${isSale('s')}) <> 0 then sum(${sql.ref(`s.${name}`)}) filter (where ${isSale('s')}) end`
