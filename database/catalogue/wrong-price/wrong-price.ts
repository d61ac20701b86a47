import { type RawBuilder, sql } from 'kysely'
import type { WrongPrice, WrongPriceFilters, wrongPriceOrds } from '#contract/catalogue/wrong-price.ts'
import type { WrongPriceStatus } from '#contract/vocabulary/catalogue/price.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { among, anyOf, machinesFound, when } from '../../frame/conditions.ts'
import { hasFeature } from '../../frame/has-feature.ts'
import { countUpTo, orderOf, type Page, pageOf, type Sorted, totalsOf } from '../../frame/list.ts'
import type { RowOf } from '../../frame/row.ts'
import type { TenantDb } from '../../frame/tenant.ts'

type Ord = (typeof wrongPriceOrds)[number]

/** A wrong price, open or closed. */
interface WrongPriceRow
  extends Omit<
    RowOf<typeof WrongPrice>,
    'id' | 'merchant_name' | 'time_zone' | 'currency' | 'pos_id' | 'pos_name' | 'pos_serial' | 'product' | 'product_id'
  > {
  /** Null: it is open. */
  id: string | null
  machine_id: string
  reported_product: string | null
  closed_by_name: string | null
}

const { received, receivedWithWarnings } = remoteCommandStatuses
const wrongBy = (reading: 'audited' | 'charged') => {
  const price = sql.ref(`price.${reading}`)
  const at = sql.ref(`price.${reading}_at`)
  return sql`${price} <> price.wanted and ${at} >= greatest(price.at, price.wanted_at)`
}
/** The last sale cost another price since the machine applied the target, or since it is wanted: `isChargedOtherwise` of the domain. */
const isChargedOtherwise = sql`coalesce(price.charged <> price.wanted and case
  when price.sent = price.wanted and command.status in (${received}, ${receivedWithWarnings})
  then price.charged_at > coalesce(command.executed_at, command.started_at, price.wanted_at)
  else price.charged_at >= price.wanted_at end, false)`
const isWrongNow = sql`(price.is_wrong or ${isChargedOtherwise})`
/** What shows the wrong price: the last sale, otherwise the last audit, otherwise the last report. */
const actual = sql`case when ${isChargedOtherwise} or ${wrongBy('charged')} then price.charged
  when ${wrongBy('audited')} then price.audited else coalesce(price.price, price.audited, price.charged) end`
/** A price that was never sent and never seen right is not sent yet, whatever shows the old one. A loss comes from what was charged. */
const fault = sql`(case
  when not ${isWrongNow} then 'charged'
  when price.sent is distinct from price.wanted and price.price is distinct from price.wanted
    and price.audited is distinct from price.wanted and price.charged is distinct from price.wanted then 'notSent'
  when ${isChargedOtherwise} or ${wrongBy('charged')} then 'charged' when ${wrongBy('audited')} then 'audited' else 'reported' end)`

/** Open wrong prices; `also` narrows them further. */
export const openWrongPrices = (db: TenantDb, further: RawBuilder<unknown> = sql`true`) => sql<WrongPriceRow>`
  select price.merchant_id, null::uuid as id, price.machine_id, price.selection, price.price_table,
    price.product as reported_product, case when ${isWrongNow} then 'wrong' else 'ended' end as status, price.wanted,
    ${actual} as actual, ${fault} as fault, price.wrong_since as since, price.wrong_sales as sales, price.lost,
    null::timestamptz as closed_at, null::uuid as closed_by, null::text as closed_by_name, null::text as note
  from machine_prices price
  left join remote_commands command on ${db.own('command')} and command.merchant_id = price.merchant_id
    and command.id = price.command_id
  where ${db.narrow('machine_prices', 'price')} and price.wrong_since is not null and ${further}`

const closedWrongPrices = (db: TenantDb) => sql`
  select loss.merchant_id, loss.id, loss.machine_id, loss.selection, loss.price_table, reported.product as reported_product,
    'closed' as status, loss.wanted,
    loss.actual, loss.fault, loss.since, loss.sales, loss.lost, loss.closed_at, loss.closed_by, loss.closed_by_name, loss.note
  from price_losses loss
  left join machine_prices reported on ${db.own('reported')} and reported.merchant_id = loss.merchant_id
    and reported.machine_id = loss.machine_id and reported.selection = loss.selection and reported.price_table = loss.price_table
  where ${db.narrow('price_losses', 'loss')}`

/** Of the planogram, otherwise the product that the reported name is mapped to, otherwise the reported name. */
const product = sql<string | null>`coalesce(named.name, price.reported_product)`
const isOld = sql<boolean>`(price.since < now() - interval '1 day')`

/** The column of a wrong price that is no column of its table. */
export const wrongPriceValues = { product }

/** Returns a function that builds a new query on the wrong prices that match; without statuses on open ones. Hidden machines have none. */
export async function wrongPricesMatching(db: TenantDb, filters: WrongPriceFilters) {
  const isFound = await machinesFound(db, filters.search)
  const statuses: readonly WrongPriceStatus[] = filters.statuses?.length ? filters.statuses : ['wrong', 'ended']
  const branches = [
    ...(statuses.some((status) => status !== 'closed') ? [openWrongPrices(db)] : []),
    ...(statuses.includes('closed') ? [closedWrongPrices(db)] : []),
  ]
  return () =>
    db.query
      .selectFrom(sql<WrongPriceRow>`(${sql.join(branches, sql` union all `)})`.as('price'))
      .innerJoin('merchants', 'merchants.id', 'price.merchant_id')
      .innerJoin('machines as machine', (join) =>
        join
          .on(db.own('machine'))
          .onRef('machine.merchant_id', '=', 'price.merchant_id')
          .onRef('machine.id', '=', 'price.machine_id')
          .on('machine.hidden', '=', false),
      )
      .leftJoin('planogram_lines as line', (join) =>
        join
          .on(db.own('line'))
          .onRef('line.merchant_id', '=', 'price.merchant_id')
          .onRef('line.planogram_id', '=', 'machine.planogram_id')
          .onRef('line.selection', '=', 'price.selection'),
      )
      .leftJoin('product_codes as coded', (join) =>
        join
          .on(db.own('coded'))
          .onRef('coded.merchant_id', '=', 'price.merchant_id')
          .onRef('coded.code', '=', 'price.reported_product'),
      )
      .leftJoin('products as named', (join) =>
        join
          .on(db.own('named'))
          .onRef('named.merchant_id', '=', 'price.merchant_id')
          .on(sql<boolean>`named.id = coalesce(line.product_id, coded.product_id)`),
      )
      .where(hasFeature(db, 'vending', 'price'))
      .where(among('price.status', statuses, 'text'))
      .where(anyOf('price.machine_id', filters.posIds, 'uuid'))
      .where(anyOf('machine.group_id', filters.groupIds, 'uuid'))
      .where(anyOf('price.price_table', filters.priceTables, 'int'))
      .where(anyOf('price.fault', filters.faults, 'text'))
      .where(isFound('price.machine_id'))
      .where(when(filters.isOld, (expected) => sql<boolean>`${isOld} = ${expected}`))
}

/** The longest wrong price first by default. */
export const wrongPriceOrdering = orderOf<Ord>({
  by: {
    since: sql`price.since`,
    lost: sql`price.lost`,
    sales: sql`price.sales`,
    posName: sql`lower(machine.name)`,
    selection: sql`lower(price.selection)`,
    merchant: sql`lower(merchants.name)`,
    product: sql`lower(${product})`,
    priceTable: sql`price.price_table`,
    wanted: sql`price.wanted`,
    actual: sql`price.actual`,
    status: sql`price.status`,
    fault: sql`price.fault`,
    closedAt: sql`price.closed_at`,
    note: sql`lower(price.note)`,
  },
  first: 'since',
  ties: sql`price.machine_id, price.price_table, price.selection, price.id`,
})

/** A page of wrong prices, the total, and how many open ones of all are older than a day. */
export async function listWrongPrices(db: TenantDb, query: WrongPriceFilters & Page & Sorted<Ord>) {
  const matching = await wrongPricesMatching(db, query)
  const page = await pageOf(db, query, {
    matching,
    order: wrongPriceOrdering(query),
    select: (prices) =>
      prices
        .selectAll('price')
        .select(['merchants.name as merchant_name', 'merchants.time_zone', 'merchants.currency'])
        .select(['machine.id as pos_id', 'machine.name as pos_name', 'machine.serial as pos_serial'])
        .select(['named.id as product_id', product.as('product')]),
  })
  const old = await countUpTo(db, (await wrongPricesMatching(db, { isOld: true }))())
  const totals = await totalsOf(db, matching, {
    currency: sql`merchants.currency`,
    of: { sales: sql`price.sales`, lost: sql`price.lost` },
  })
  return { ...page, totals, old: old.total }
}

/** Wrong prices that are open for longer than a day, and what they cost, by currency. */
export async function oldWrongPrices(db: TenantDb): Promise<{ currency: Currency; count: number; lost: number }[]> {
  const { rows } = await sql<{ currency: Currency; count: number; lost: number }>`
    select merchants.currency, count(*)::int as count, sum(price.lost)::bigint as lost
    from machine_prices price
    join merchants on merchants.id = price.merchant_id
    join machines machine on machine.merchant_id = price.merchant_id and machine.id = price.machine_id and not machine.hidden
    where ${db.narrow('machine_prices', 'price')} and price.wrong_since < now() - interval '1 day'
      and ${hasFeature(db, 'vending', 'price')}
    group by 1 order by 1`.execute(db.query)
  return rows
}
