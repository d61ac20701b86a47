import { sql } from 'kysely'
import { productOfCode } from '../facts/product-name.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { firstPrice } from './first-price.ts'

/** More than any machine has; limits the rows that changing selections can add. */
const mostSelections = 2000

/** The stock of a machine of the scope: by its books, or by its last report. */
export const stockOf = (db: TenantDb, machineId: string) =>
  db
    .from('machine_stock')
    .where('machine_stock.machine_id', '=', machineId)
    .where('gone', '=', false)
    .innerJoin('merchants', 'merchants.id', 'machine_stock.merchant_id')
    .innerJoin('machines', (join) =>
      join
        .onRef('machines.merchant_id', '=', 'machine_stock.merchant_id')
        .onRef('machines.id', '=', 'machine_stock.machine_id'),
    )
    .leftJoin('planogram_lines as line', (join) =>
      join
        .onRef('line.merchant_id', '=', 'machine_stock.merchant_id')
        .onRef('line.planogram_id', '=', 'machines.planogram_id')
        .onRef('line.selection', '=', 'machine_stock.selection'),
    )
    .leftJoin('products as planned', (join) =>
      join.onRef('planned.merchant_id', '=', 'line.merchant_id').onRef('planned.id', '=', 'line.product_id'),
    )
    .leftJoinLateral(
      sql<{ name: string }>`(${productOfCode(db, sql`machine_stock.merchant_id`, sql`machine_stock.product`)})`.as(
        'named',
      ),
      (join) => join.onTrue(),
    )
    .select([
      'machine_stock.selection',
      'machine_stock.product',
      'machine_stock.level',
      'machine_stock.capacity',
      'machine_stock.warning_level',
      'machine_stock.refilled_at',
      'machine_stock.stock_type',
      'machine_stock.balance',
      'machine_stock.reported',
      'machine_stock.at as reported_at',
      'machine_stock.difference',
      'machine_stock.differs',
      'machine_stock.refill_value',
      'machine_stock.usual',
      'machine_stock.forecast',
      'machines.manage_stock',
      'merchants.currency',
      'merchants.time_zone',
    ])
    .select([
      sql<string | null>`machine_stock.forecast_from::text`.as('forecastFrom'),
      // A managed machine has what its planogram says, whatever the machine calls it.
      sql<
        string | null
      >`case when machines.manage_stock then coalesce(planned.name, named.name) else named.name end`.as('product_name'),
      sql<Date>`case when machines.manage_stock
        then greatest(machine_stock.at, machine_stock.moved_at, machine_stock.anchor_at) else machine_stock.at end`.as(
        'at',
      ),
      firstPrice(db, 'machine_stock').as('price'),
    ])
    .orderBy('machine_stock.at', 'desc')
    .orderBy('machine_stock.selection')
    .limit(mostSelections)
    .execute()
export type StockRecord = Awaited<ReturnType<typeof stockOf>>[number]
