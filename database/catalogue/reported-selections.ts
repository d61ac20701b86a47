import { sql } from 'kysely'
import type { PricesByTable } from '#contract/catalogue/planogram.ts'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import type { ReportedSelection } from '#domain/catalogue/planogram.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** More than any machine has; limits the rows that changing selections can add. */
const mostSelections = 2000

/** The selections that a machine of the scope reports in its stock and its prices, with the product that its own name is mapped to. */
export async function reportedSelections(db: TenantDb, machineId: string): Promise<ReportedSelection[]> {
  const { rows } = await sql<Omit<ReportedSelection, 'prices'> & { prices: PricesByTable | null }>`
    with stock as (
      select merchant_id, selection, product, level, capacity, warning_level from machine_stock
      where ${db.narrow('machine_stock')} and machine_id = ${machineId} and not gone
        and stock_type is distinct from ${stockTypes.hotTotal} limit ${mostSelections}
    ), prices as (
      select merchant_id, selection, max(product) as product, jsonb_object_agg(price_table::text, price) as prices
      from machine_prices
      where ${db.narrow('machine_prices')} and machine_id = ${machineId} and not gone and price is not null
      group by merchant_id, selection limit ${mostSelections}
    ), said as (
      select coalesce(stock.merchant_id, prices.merchant_id) as merchant_id,
        coalesce(stock.selection, prices.selection) as selection, coalesce(prices.product, stock.product) as product,
        stock.level, stock.capacity, stock.warning_level, prices.prices
      from stock full join prices on prices.merchant_id = stock.merchant_id and prices.selection = stock.selection
    )
    select said.selection, known.id as "productId", coalesce(known.name, said.product) as product, said.level, said.capacity,
      said.warning_level as "warningLevel", said.prices
    from said
    left join product_codes code on ${db.own('code')} and code.merchant_id = said.merchant_id and code.code = said.product
    left join products known on ${db.own('known')} and known.merchant_id = code.merchant_id and known.id = code.product_id`.execute(
    db.query,
  )
  return rows.map((row) => ({ ...row, prices: row.prices ?? {} }))
}

/** Whether a machine of the scope reports a total of hot drinks, which is no selection. */
export async function sellsHotDrinks(db: TenantDb, machineId: string): Promise<boolean> {
  const total = await db
    .from('machine_stock')
    .where('machine_id', '=', machineId)
    .where('stock_type', '=', stockTypes.hotTotal)
    .where('gone', '=', false)
    .select('selection')
    .limit(1)
    .executeTakeFirst()
  return total !== undefined
}

/**
 * The selections of machines: reported with prices or stock, shown by an audit or a sale, or planned by the machine's planogram. A machine without
 * any is left out: it has not said yet what it has.
 */
export async function selectionsOfMachines(
  db: TenantDb,
  machineIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ machineId: string; selections: string[] }>`
    with named as (
      select price.machine_id, price.selection from machine_prices price
      where ${db.narrow('machine_prices', 'price')} and price.machine_id = any(${machineIds}::uuid[]) and not price.gone
        and coalesce(price.price, price.audited, price.charged) is not null
      union
      select stock.machine_id, stock.selection from machine_stock stock
      where ${db.narrow('machine_stock', 'stock')} and stock.machine_id = any(${machineIds}::uuid[]) and not stock.gone
        and stock.stock_type is distinct from ${stockTypes.hotTotal}
      union
      select machine.id, line.selection from machines machine
      join planogram_lines line on ${db.own('line')} and line.merchant_id = machine.merchant_id and line.planogram_id = machine.planogram_id
      where ${db.narrow('machines', 'machine')} and machine.id = any(${machineIds}::uuid[])
    )
    select machine_id as "machineId", array_agg(selection) as selections from named group by machine_id`.execute(
    db.query,
  )
  return new Map(rows.map(({ machineId, selections }) => [machineId, new Set(selections)]))
}
