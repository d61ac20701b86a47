import { type RawBuilder, sql } from 'kysely'
import type { ReportDimension } from '#contract/vocabulary/report.ts'
import type { ReportSums, SummedRow } from '#domain/insight/report.ts'
import type { TenantDb } from '../frame/tenant.ts'

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
}

/** The filters of sums and of lists that an order has. */
export const filtersOf = ({ startDate, endDate, groupIds, clientIds, posIds }: ReportOrder) => ({
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
}

const keys = (parameter: string | undefined): Record<ReportDimension, Key> => ({
  product: { key: sql`nullif(coalesce(sold.name, x.product), '')` },
  productType: { key: sql`sold.product_type` },
  parameter: {
    key: sql`(select e.value ->> 'value' from jsonb_array_elements(sold.parameters) e
      where e.value ->> 'name' = ${parameter ?? ''} limit 1)`,
  },
  machine: { key: sql`x.machine_id::text`, label: sql`p.name` },
  client: { key: sql`p.client_id::text`, label: sql`cl.name` },
  group: { key: sql`p.group_id::text`, label: sql`g.name` },
  priceTable: { key: sql`nullif(x.price_table, -1)::text` },
  media: { key: sql`x.media_type::text` },
  hour: { key: sql`x.hour::text` },
  transactionType: { key: sql`x.type::text` },
  alarm: { key: sql`x.code` },
  severity: { key: sql`x.criticity::text` },
  denomination: { key: sql`x.denomination::text` },
  refundKind: { key: sql`x.kind` },
  refundState: { key: sql`x.state` },
})

const ofMachine: readonly ReportDimension[] = ['machine', 'client', 'group']
const ofProduct: readonly ReportDimension[] = ['product', 'productType', 'parameter']
export const needsMachine = (by: readonly ReportDimension[]) => by.some((one) => ofMachine.includes(one))
export const needsProduct = (by: readonly ReportDimension[]) => by.some((one) => ofProduct.includes(one))

interface Grouped {
  merchant_id: string
  merchant_name: string
  currency: SummedRow['currency']
  key0: string | null
  label0: string | null
  key1: string | null
  label1: string | null
}

/**
 * Sums of facts by merchant and grouping, at most `limit` rows. A machine counts for the group and the client where it is now. `withProduct`:
 * the sums need the product `sold` of the fact's code.
 */
export async function groupedSums(
  db: TenantDb,
  { by, parameter }: ReportOrder,
  { facts, sums }: Facts,
  { limit, withProduct = false }: { limit: number; withProduct?: boolean },
): Promise<SummedRow[]> {
  const all = keys(parameter)
  const [first, second] = by.map((one) => all[one])
  const none = sql`null::text`
  const key = (one: Key | undefined) => sql`${one?.key ?? none}, ${one?.label ?? none}`
  const machine = needsMachine(by)
    ? sql`left join machines p on ${db.own('p')} and p.merchant_id = x.merchant_id and p.id = x.machine_id
        left join groups g on ${db.own('g')} and g.merchant_id = p.merchant_id and g.id = p.group_id
        left join clients cl on ${db.own('cl')} and cl.merchant_id = p.merchant_id and cl.id = p.client_id`
    : sql``
  const product =
    withProduct || needsProduct(by)
      ? sql`left join product_codes mapped on ${db.own('mapped')} and mapped.merchant_id = x.merchant_id and mapped.code = x.product
          left join products sold on ${db.own('sold')} and sold.merchant_id = mapped.merchant_id and sold.id = mapped.product_id`
      : sql``
  const columns = Object.entries(sums).map(([name, sum]) => sql`${sum} as ${sql.ref(name)}`)
  const { rows } = await sql<Grouped & Record<string, number | null>>`
    select x.merchant_id, m.name as merchant_name, m.currency, k.key0, k.label0, k.key1, k.label1, ${sql.join(columns)}
    from (${facts}) x
    join merchants m on m.id = x.merchant_id and ${db.narrow('merchants', 'm')}
    ${machine} ${product}
    cross join lateral (values (${key(first)}, ${key(second)})) k (key0, label0, key1, label1)
    group by 1, 2, 3, 4, 5, 6, 7 limit ${limit}`.execute(db.query)
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    currency: row.currency,
    keys: [row.key0, row.key1].slice(0, by.length),
    labels: [row.label0, row.label1].slice(0, by.length),
    sums: Object.fromEntries(
      Object.keys(sums).flatMap((name) => {
        const sum = row[name]
        return sum === null || sum === undefined ? [] : [[name, Number(sum)]]
      }),
    ),
  }))
}
