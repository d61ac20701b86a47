import { sql } from 'kysely'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import { bySelection } from '#domain/stock/stock.ts'
import type { Outlook } from '#domain/stock/supply.ts'
import { productOfCode } from '../facts/product-name.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { outlookColumns, outlookOf, type StoredOutlook } from './forecast/outlook.ts'

/** A selection of a machine: its level, and what fits, by the planogram first and the machine's own report second. */
export interface SelectionFill {
  machineId: string
  selection: string
  /** Null: never reported or counted. */
  level: number | null
  capacity: number | null
  refillValue: number | null
  /** Null: the machine's stock is not managed. */
  outlook: Outlook | null
  productId: string | null
  /** The product's name, else as the machine names it. */
  product: string | null
}

/**
 * The selections of some machines in their order, from planograms and stock. The total of hot drinks is no selection.
 */
export async function fillsOf(db: TenantDb, machineIds: readonly string[]): Promise<SelectionFill[]> {
  if (machineIds.length === 0) return []
  const { rows } = await sql<Omit<SelectionFill, 'outlook'> & StoredOutlook>`
    select m.id as "machineId", all_selections.selection, stock.level, coalesce(line.capacity, stock.capacity) as capacity,
      coalesce(line.refill_value, stock.capacity) as "refillValue",
      ${outlookColumns('stock')}, coalesce(line.product_id, named.id) as "productId",
      coalesce(planned.name, named.name, stock.product) as product
    from machines m
    cross join lateral (
      select l.selection from planogram_lines l
      where ${db.own('l')} and l.merchant_id = m.merchant_id and l.planogram_id = m.planogram_id
      union
      select s.selection from machine_stock s
      where ${db.own('s')} and s.merchant_id = m.merchant_id and s.machine_id = m.id and not s.gone
        and s.stock_type is distinct from ${stockTypes.hotTotal}
    ) all_selections
    left join planogram_lines line on ${db.own('line')} and line.merchant_id = m.merchant_id
      and line.planogram_id = m.planogram_id and line.selection = all_selections.selection
    left join products planned on ${db.own('planned')} and planned.merchant_id = m.merchant_id and planned.id = line.product_id
    left join machine_stock stock on ${db.own('stock')} and stock.merchant_id = m.merchant_id and stock.machine_id = m.id
      and stock.selection = all_selections.selection and not stock.gone
      and stock.stock_type is distinct from ${stockTypes.hotTotal}
    left join lateral (${productOfCode(db, sql`m.merchant_id`, sql`stock.product`)}) named on true
    where ${db.narrow('machines', 'm')} and m.id = any(${machineIds}::uuid[])`.execute(db.query)
  return rows
    .map((row) => ({ ...row, outlook: outlookOf(row) }))
    .sort((one, other) =>
      one.machineId === other.machineId
        ? bySelection(one.selection, other.selection)
        : one.machineId < other.machineId
          ? -1
          : 1,
    )
}
