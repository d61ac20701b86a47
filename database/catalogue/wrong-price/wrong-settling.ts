import { sql } from 'kysely'
import { wrongSince } from '#domain/catalogue/wrong-price.ts'
import type { TenantDb } from '../../frame/tenant.ts'

interface Unsettled {
  merchantId: string
  machineId: string
  selection: string
  priceTable: number
  isWrong: boolean
  wanted: number | null
  wantedAt: Date | null
  price: number | null
  at: Date | null
  audited: number | null
  auditedAt: Date | null
  charged: number | null
  chargedAt: Date | null
}

const datedPrice = (price: number | null, at: Date | null) => (price === null || at === null ? null : { price, at })
const sinceOf = (row: Unsettled) =>
  wrongSince({
    wanted: row.wanted as number,
    wantedAt: row.wantedAt as Date,
    reported: datedPrice(row.price, row.at),
    audited: datedPrice(row.audited, row.auditedAt),
    charged: datedPrice(row.charged, row.chargedAt),
  })

/** A wrong price without a wrong sale opens and ends with its sights; one with a wrong sale only a user closes. */
const isUnsettled = sql<boolean>`(is_wrong and wrong_since is null and wrong_closed_at is null
  or not is_wrong and (wrong_since is not null and wrong_sales = 0 or wrong_closed_at is not null))`

/**
 * Opens and ends wrong prices without wrong sales, after reports, audits or sales of machines whose journals the caller has locked.
 * Returns the machines that changed.
 */
export async function settleWrongPrices(
  db: TenantDb,
  machineIds: readonly string[],
): Promise<{ merchantId: string; machineId: string }[]> {
  if (machineIds.length === 0) return []
  const { rows } = await sql<Unsettled>`
    select merchant_id as "merchantId", machine_id as "machineId", selection, price_table as "priceTable", is_wrong as "isWrong",
      wanted, wanted_at as "wantedAt", price, at, audited, audited_at as "auditedAt", charged, charged_at as "chargedAt"
    from machine_prices where ${db.narrow('machine_prices')} and machine_id = any(${machineIds}::uuid[])
      and ${isUnsettled}`.execute(db.query)
  if (rows.length === 0) return []
  await sql`update machine_prices price set wrong_closed_at = null,
      wrong_since = case when settled.since is not null then settled.since when price.wrong_sales > 0 then price.wrong_since end
    from unnest(${rows.map(({ merchantId }) => merchantId)}::uuid[], ${rows.map(({ machineId }) => machineId)}::uuid[],
      ${rows.map(({ selection }) => selection)}::text[], ${rows.map(({ priceTable }) => priceTable)}::smallint[],
      ${rows.map((row) => (row.isWrong ? sinceOf(row) : null))}::timestamptz[])
      as settled (merchant_id, machine_id, selection, price_table, since)
    where ${db.own('price')} and price.merchant_id = settled.merchant_id and price.machine_id = settled.machine_id
      and price.selection = settled.selection and price.price_table = settled.price_table`.execute(db.query)
  return [...new Map(rows.map(({ merchantId, machineId }) => [machineId, { merchantId, machineId }])).values()]
}
