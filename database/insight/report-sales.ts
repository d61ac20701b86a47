import { type RawBuilder, sql } from 'kysely'
import type { SummedRow } from '#domain/insight/report-figures.ts'
import { eachOf, gathered } from '../frame/apart/apart.ts'
import { anyOf } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import { limitedTo, type Page } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { stretchesOf } from '../sales/terms-of-day.ts'
import { groupedSums, machineOf, needsMachine, needsProduct, type ReportOrder } from './report-grouping.ts'
import { type Amount, factsOf, type SalesOrder } from './sales-facts.ts'

/** Cost and VAT of the product are known. */
const isKnown = sql`goods.cost is not null and goods.vat is not null`

/** What clients get, not rounded: as `commissionOf` for each machine. Of sales `where` a condition holds, less all refunds. */
const commissionWhere = (
  where: RawBuilder<unknown>,
) => sql`case when x.agreed_value is null and x.back is null then null
  when agreed.kind = 'percent' then (case when ${where} then coalesce(x.agreed_value, 0) else 0 end - coalesce(x.back, 0)) * agreed.percent / 100
  when agreed.kind = 'perVend' then case when ${where} then coalesce(x.agreed_vends, 0) else 0 end * agreed.per_vend end`

/** Machines `y` of a report by machine with their turnover alone: without products, clients and agreements, which cost more. */
async function turnovers(db: TenantDb, order: SalesOrder): Promise<RawBuilder<unknown>> {
  const isOfFormerPlaces = order.terms === 'ofDay' && [order.groupIds, order.clientIds].some((ids) => ids?.length)
  const stretches = isOfFormerPlaces ? await stretchesOf(db, order, ['former_machine_places']) : []
  const { facts } = await factsOf(db, { ...order, withCost: false, stretches })
  // Whether a machine that only paid back has a row depends on what is agreed with its client.
  return sql`(
    select x.merchant_id, x.machine_id, sum(x.value)::bigint as value, count(x.count) + count(x.refund_count) + count(x.visits) > 0 as is_sure
    from (${facts}) x group by 1, 2
  ) y join merchants m on m.id = y.merchant_id and ${db.narrow('merchants', 'm')}`
}

/** The machines of a page in the order of their turnover, and the number of all. Undefined where the agreements decide which machines have a row. */
export async function pageByTurnover(
  db: TenantDb,
  order: SalesOrder,
  page: Page,
): Promise<{ ids: string[]; total: number } | undefined> {
  const each = await gathered(
    db,
    sql`select y.machine_id, y.value, y.is_sure, m.currency from ${await turnovers(db, order)}`,
  )
  const { rows } = await sql<{ id: string; total: number; isSure: boolean }>`
    select y.machine_id as id, (count(*) over ())::int as total, bool_and(y.is_sure) over () as "isSure" from ${each} y
    order by y.currency, coalesce(y.value, 0) desc, y.machine_id ${limitedTo(page)}`.execute(db.query)
  const [first] = rows
  return first?.isSure ? { ids: rows.map(({ id }) => id), total: first.total } : undefined
}

/** The rows of a report by machine with their turnover alone. */
export async function machinesByTurnover(db: TenantDb, order: SalesOrder, limit: number): Promise<SummedRow[]> {
  const { rows } = await sql<{
    merchantId: string
    merchantName: string
    currency: SummedRow['currency']
    id: string
    name: string | null
    value: number | null
    isSure: boolean
  }>`
    select m.id as "merchantId", m.name as "merchantName", m.currency, y.machine_id as id, p.name, y.value, y.is_sure as "isSure"
    from ${await turnovers(db, order)} ${machineOf(db, 'y')} limit ${limit}`.execute(eachOf(db).query)
  const some = rows.slice(0, limit)
  const unsure = some.flatMap(({ id, isSure }) => (isSure ? [] : [id]))
  const others = unsure.length > 0 ? await salesByGrouping(db, { ...order, posIds: unsure }, limit) : []
  const sure = some
    .filter(({ isSure }) => isSure)
    .map(({ merchantId, merchantName, currency, id, name, value }) => ({
      merchantId,
      merchantName,
      currency,
      keys: [id],
      labels: [name],
      isGone: false,
      sums: value === null ? {} : { value },
    }))
  return [...sure, ...others]
}

/** Sums of sales of a period by the order's groupings, as `margin.ts` adds them up. */
export async function salesByGrouping(db: TenantDb, order: SalesOrder, limit: number): Promise<SummedRow[]> {
  const { withCost, withCommission, by } = order
  const stretches =
    order.terms === 'today'
      ? []
      : await stretchesOf(db, order, [
          ...(withCost ? (['former_product_terms'] as const) : []),
          ...(withCost || needsProduct(by) ? (['former_product_codes'] as const) : []),
          ...(withCommission ? (['former_client_terms'] as const) : []),
          ...(withCommission || needsMachine(by) ? (['former_machine_places'] as const) : []),
        ])
  const total = (name: Amount) => sql`sum(${sql.ref(`x.${name}`)})::bigint`
  const { facts, isOfPlaces } = await factsOf(db, { ...order, stretches })
  const rows = await groupedSums(
    db,
    order,
    {
      facts,
      sums: {
        count: total('count'),
        value: total('value'),
        freeCount: total('free_count'),
        errorCount: total('error_count'),
        refundCount: total('refund_count'),
        refunded: total('refunded'),
        otherCount: total('other_count'),
        // Amounts of different types are no sum.
        ...(by.includes('transactionType') && { otherValue: total('other_value') }),
        ...(withCommission && { commission: sql`sum(${commissionWhere(sql`true`)})::float8` }),
        ...(withCost && {
          cost: sql`(sum((x.count - x.error_count) * goods.cost) filter (where ${isKnown}))::bigint`,
          costedValue: sql`(sum(x.value) filter (where ${isKnown}))::bigint`,
          vat: sql`(sum(x.value * goods.vat / (100 + goods.vat)) filter (where ${isKnown}))::float8`,
          ...(withCommission && {
            costedCommission: sql`sum(${commissionWhere(isKnown)})::float8`,
          }),
        }),
        ...(order.withVisits && { visits: total('visits') }),
        ...(order.withVisits === 'costed' && {
          costedVisits: total('costed_visits'),
          visitCost: total('visit_cost'),
          wastedPieces: total('wasted_pieces'),
          costedPieces: total('costed_pieces'),
          wasted: total('wasted'),
        }),
      },
    },
    { limit, product: withCost, agreement: withCommission, isOfDay: stretches.length > 0, hasPlaces: isOfPlaces },
  )
  const unvisited = withoutVisits[order.withVisits ?? 'none']
  return rows.map((row) => ({ ...row, sums: { ...unvisited, ...row.sums } }))
}

/** The sums of a place without visits, as far as the report counts them. */
const withoutVisits = {
  none: {},
  counted: { visits: 0 },
  costed: { visits: 0, costedVisits: 0, visitCost: 0, wastedPieces: 0, costedPieces: 0, wasted: 0 },
}

/** Whether a product of the scope has a cost, or had one since a day. */
export async function hasCosts(db: TenantDb, since: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from products where ${db.narrow('products')} and cost is not null)
      or exists (select 1 from former_product_terms f where ${db.own('f')} and f.cost is not null and f.until > ${since}::date)
      as found`.execute(db.query)
  return rows[0]?.found ?? false
}

/** Whether a client of the scope gets a commission, or got one since a day. */
export async function hasCommissions(db: TenantDb, since: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from clients c where ${db.own('c')} and c.commission_kind <> 'none')
      or exists (select 1 from former_client_terms f where ${db.own('f')} and f.commission_kind <> 'none' and f.until > ${since}::date)
      as found`.execute(db.query)
  return rows[0]?.found ?? false
}

/** What sold-out selections lose per day now, by machine, client or group. */
export function lostByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const { groupIds, clientIds, posIds } = order
  return groupedSums(
    db,
    order,
    {
      facts: sql`
        select l.merchant_id, l.machine_id, l.lost_per_day
        from machine_supplies l join machines own on ${db.narrow('machines', 'own')} and own.merchant_id = l.merchant_id and own.id = l.machine_id
        where ${db.own('l')} and ${hasFeature(db, 'productStock', 'l')} and not own.hidden
          and ${anyOf('own.group_id', groupIds, 'uuid')} and ${anyOf('own.client_id', clientIds, 'uuid')}
          and ${anyOf('own.id', posIds, 'uuid')}`,
      sums: { lostPerDay: sql`sum(x.lost_per_day)::bigint` },
    },
    { limit },
  )
}

/** The names of parameters that products of the scope have. */
export async function parameterNames(db: TenantDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct e.value ->> 'name' as name from products
    cross join lateral jsonb_array_elements(products.parameters) e
    where ${db.narrow('products')} order by 1 limit 200`.execute(db.query)
  return rows.map(({ name }) => name)
}
