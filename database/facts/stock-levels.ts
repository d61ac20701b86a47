import { sql } from 'kysely'
import type { StockLevel } from '#domain/stock/stock.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** The stock levels of some machines, by machine. */
export async function levelsOf(db: TenantDb, machineIds: readonly string[]): Promise<Map<string, StockLevel[]>> {
  const { rows } = await sql<StockLevel & { machineId: string }>`
    select machine_id as "machineId", selection, level, capacity, warning_level as "warningLevel"
    from machine_stock where ${db.narrow('machine_stock')} and machine_id = any(${machineIds}::uuid[]) and not gone`.execute(
    db.query,
  )
  return Map.groupBy(rows, ({ machineId }) => machineId)
}
