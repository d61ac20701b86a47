import { type RawBuilder, sql } from 'kysely'
import type { SaleTerms } from '#contract/sales/terms.ts'
import type { ReportDimension } from '#contract/vocabulary/insight/report.ts'
import type { ReportSums, SummedRow } from '#domain/insight/report-figures.ts'
import { gathered } from '../frame/apart/apart.ts'
import { noGroup, type TenantDb, withinScope } from '../frame/tenant.ts'
import { joinFormer, termOf } from '../sales/terms-of-day.ts'

/** What a report reads beside its period: its groupings and filters. */
export interface ReportOrder {
  by: readonly ReportDimension[]
  /** The parameter of products that it is grouped by. */
  parameter: string | undefined
  startDate: string
  endDate: string
  groupIds?: readonly string[] | undefined
  clientIds?: readonly string[] | undefined
  posIds?: readonly string[] | undefined
  terms: SaleTerms
}

/** The filters of sums and of lists that an order has. */
export const filtersOf = ({ startDate, endDate, groupIds, clientIds, posIds }: Omit<ReportOrder, 'terms'>) => ({
  startDate,
  endDate,
  groupIds: groupIds && [...groupIds],
  clientIds: clientIds && [...clientIds],
  posIds: posIds && [...posIds],
})

/** Facts `x` with the columns of the groupings, each with its merchant. */
interface Facts {
  facts: RawBuilder<unknown>
  /** Sums of `x` by name. */
  sums: Readonly<Partial<Record<keyof ReportSums, RawBuilder<unknown>>>>
}

/** The key of a grouping, as text, and the name of an id. */
interface Key {
  key: RawBuilder<unknown>
  label?: RawBuilder<unknown>
  /** Whether the record of the id is deleted or out of the reader's reach. */
  gone?: RawBuilder<unknown>
}

const keys = (parameter: string | undefined): Record<ReportDimension, Key> => ({
  product: { key: sql`nullif(coalesce(sold.name, x.product), '')` },
  productType: { key: sql`sold.product_type` },
  parameter: {
    key: sql`(select e.value ->> 'value' from jsonb_array_elements(sold.parameters) e
      where e.value ->> 'name' = ${parameter ?? ''} limit 1)`,
  },
  machine: { key: sql`x.machine_id::text`, label: sql`p.name` },
  client: {
    key: sql`place.client_id::text`,
    label: sql`coalesce(cl.name, gone_cl.name)`,
    gone: sql`place.client_id is not null and cl.id is null`,
  },
  group: {
    key: sql`place.group_id::text`,
    label: sql`coalesce(g.name, gone_g.name)`,
    gone: sql`place.group_id is not null and g.id is null`,
  },
  priceTable: { key: sql`nullif(x.price_table, -1)::text` },
  media: { key: sql`x.media_type::text` },
  hour: { key: sql`x.hour::text` },
  transactionType: { key: sql`x.type::text` },
  alarm: { key: sql`x.code` },
  severity: { key: sql`x.criticity::text` },
  denomination: { key: sql`x.denomination::text` },
  refundKind: { key: sql`x.kind` },
  refundState: { key: sql`x.state` },
  collector: { key: sql`x.collector_id::text`, label: sql`x.collector_name` },
  month: { key: sql`x.month` },
  technician: { key: sql`x.technician_id::text`, label: sql`x.technician_name` },
  stockPlace: { key: sql`x.place_id::text`, label: sql`x.place`, gone: sql`x.place is null` },
  driver: { key: sql`x.driver_id::text`, label: sql`x.driver_name` },
  stockProduct: { key: sql`x.product_id::text`, label: sql`x.product`, gone: sql`x.product_is_gone` },
  route: {
    key: sql`x.route_id::text`,
    label: sql`x.route_name`,
    gone: sql`x.route_id is not null and x.route_name is null`,
  },
})

const ofMachine: readonly ReportDimension[] = ['machine', 'client', 'group']
const ofProduct: readonly ReportDimension[] = ['product', 'productType', 'parameter']
export const needsMachine = (by: readonly ReportDimension[]) => by.some((one) => ofMachine.includes(one))
const needsPlace = (by: readonly ReportDimension[]) => by.includes('client') || by.includes('group')
export const needsProduct = (by: readonly ReportDimension[]) => by.some((one) => ofProduct.includes(one))

interface Grouped {
  merchant_id: string
  merchant_name: string
  currency: SummedRow['currency']
  key0: string | null
  label0: string | null
  key1: string | null
  label1: string | null
  is_gone: boolean
}

/** What the sums of facts need beside the groupings. */
interface Needs {
  limit: number
  /** The product `sold` of the fact's code, with `goods.cost` and `goods.vat`. */
  product?: boolean
  /** The client's agreement `agreed` (`kind`, `percent`, `per_vend`). */
  agreement?: boolean
  /** The terms of the day `x.day`; otherwise today's. */
  isOfDay?: boolean
  /** Whether facts without a machine have their place: `group_id` and `client_id`. */
  hasPlaces?: boolean
}

/** The condition that the reader sees the merchant of a row as a whole: others do not learn the names of deleted groups. */
const isWholly = (db: TenantDb, alias: string) =>
  withinScope(
    db,
    db.scope.filter(({ groups }) => groups === 'all'),
  ).own(alias)

/** The machine `p` of a row, without its place. */
export const machineOf = (db: TenantDb, row: string): RawBuilder<unknown> => sql`
  left join (select own.merchant_id, own.id, own.name from machines own where ${db.own('own')}) p
    on p.merchant_id = ${sql.ref(`${row}.merchant_id`)} and p.id = ${sql.ref(`${row}.machine_id`)}`

/** The machine `p` of a fact with its `place`, and what is agreed with the client there. */
function placeOf(db: TenantDb, by: readonly ReportDimension[], { agreement, isOfDay, hasPlaces }: Needs) {
  if (!needsPlace(by) && !agreement) return machineOf(db, 'x')
  const former = isOfDay ? 'former_place' : undefined
  const agreed = isOfDay ? 'former_agreement' : undefined
  const place = (name: string) =>
    hasPlaces
      ? sql`case when x.machine_id is null then nullif(${sql.ref(`x.${name}`)}, ${noGroup}::uuid) else ${termOf(former, 'p', name)} end as ${sql.ref(name)}`
      : sql`${termOf(former, 'p', name)} as ${sql.ref(name)}`
  const terms = (name: string) => sql`${termOf(agreed, 'cl', `commission_${name}`)} as ${sql.ref(name)}`
  return sql`
    left join (select * from machines own where ${db.own('own')}) p on p.merchant_id = x.merchant_id and p.id = x.machine_id
    ${former ? joinFormer(db, 'former_machine_places', former, sql`x.machine_id`) : sql``}
    cross join lateral (select ${place('group_id')}, ${place('client_id')}) place
    left join (select * from groups g where ${db.narrow('groups', 'g')}) g on g.merchant_id = x.merchant_id and g.id = place.group_id
    left join (select * from clients cl where ${db.own('cl')}) cl on cl.merchant_id = x.merchant_id and cl.id = place.client_id
    left join (select * from deleted_places gone_g where ${db.own('gone_g')} and ${isWholly(db, 'gone_g')}) gone_g on gone_g.merchant_id = x.merchant_id and gone_g.id = place.group_id
    left join (select * from deleted_places gone_cl where ${db.own('gone_cl')}) gone_cl on gone_cl.merchant_id = x.merchant_id and gone_cl.id = place.client_id
    ${agreement && agreed ? joinFormer(db, 'former_client_terms', agreed, sql`place.client_id`) : sql``}
    ${agreement ? sql`cross join lateral (select ${sql.join(['kind', 'percent', 'per_vend'].map(terms))}) agreed` : sql``}`
}

/** The product `sold` of a fact's code, with its cost and VAT. A product that was deleted since its day is sold as well. */
function productOf(db: TenantDb, { product, isOfDay }: Needs) {
  const former = isOfDay ? 'former_goods' : undefined
  const mapped = sql`left join (select * from product_codes mapped where ${db.own('mapped')}) mapped on mapped.merchant_id = x.merchant_id and mapped.code = x.product`
  const live = (id: RawBuilder<unknown>) =>
    sql`left join (select * from products live where ${db.own('live')}) live on live.merchant_id = x.merchant_id and live.id = ${id}`
  const sold = isOfDay
    ? sql`${mapped} ${joinFormer(db, 'former_product_codes', 'former_code', sql`x.product`)}
      ${live(sql`coalesce(former_code.product_id, mapped.product_id)`)}
      left join (select * from deleted_products gone where ${db.own('gone')}) gone on gone.merchant_id = x.merchant_id and gone.id = former_code.product_id
      cross join lateral (select coalesce(live.id, gone.id) as id, coalesce(live.name, gone.name) as name, live.cost, live.vat,
        coalesce(live.product_type, gone.product_type) as product_type, coalesce(live.parameters, gone.parameters) as parameters) sold`
    : sql`${mapped} ${live(sql`mapped.product_id`)}
      cross join lateral (select live.name, live.product_type, live.parameters, live.cost, live.vat) sold`
  return sql`${sold}
    ${product && former ? joinFormer(db, 'former_product_terms', former, sql`sold.id`) : sql``}
    ${product ? sql`cross join lateral (select ${termOf(former, 'sold', 'cost')} as cost, ${termOf(former, 'sold', 'vat')} as vat) goods` : sql``}`
}

/**
 * Sums of facts by merchant and grouping, at most `limit` rows, each with some sum. A machine counts for the group and the client where it was on the fact's day,
 * if `isOfDay`, else where it is now. Groups out of the reader's reach are not named.
 */
export async function groupedSums(
  db: TenantDb,
  { by, parameter }: Pick<ReportOrder, 'by' | 'parameter'>,
  { facts, sums }: Facts,
  needs: Needs,
): Promise<SummedRow[]> {
  const all = keys(parameter)
  const [first, second] = by.map((one) => all[one])
  const none = sql`null::text`
  const key = (one: Key | undefined) => sql`${one?.key ?? none}, ${one?.label ?? none}, ${one?.gone ?? sql`false`}`
  const machine = needsMachine(by) || needs.agreement ? placeOf(db, by, needs) : sql``
  const product = needsProduct(by) || needs.product ? productOf(db, needs) : sql``
  const columns = Object.entries(sums).map(([name, sum]) => sql`${sum} as ${sql.ref(name)}`)
  const each = await gathered(
    db,
    sql`select x.merchant_id, m.name as merchant_name, m.currency, k.key0, k.label0, k.key1, k.label1, k.gone0 or k.gone1 as is_gone, ${sql.join(columns)}
    from (${facts}) x
    join merchants m on m.id = x.merchant_id and ${db.narrow('merchants', 'm')}
    ${machine} ${product}
    cross join lateral (values (${key(first)}, ${key(second)})) k (key0, label0, gone0, key1, label1, gone1)
    group by 1, 2, 3, 4, 5, 6, 7, 8 having num_nonnulls(${sql.join(Object.values(sums))}) > 0 limit ${needs.limit}`,
  )
  const { rows } = await sql<Grouped & Record<string, unknown>>`select * from ${each} r limit ${needs.limit}`.execute(
    db.query,
  )
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    currency: row.currency,
    keys: [row.key0, row.key1].slice(0, by.length),
    labels: [row.label0, row.label1].slice(0, by.length),
    isGone: row.is_gone,
    sums: Object.fromEntries(
      Object.keys(sums).flatMap((name) => {
        const sum = row[name]
        return sum === null || sum === undefined ? [] : [[name, Number(sum)]]
      }),
    ),
  }))
}
