import { applyRules, holdMachines } from '../alarms/alarm-rule.ts'
import type { TenantDb } from '../frame/tenant.ts'

export interface MachineKey {
  merchantId: string
  machineId: string
}

/** Raises and ends the low-stock alarms of machines whose journals the caller has locked. Returns the machines whose alarms changed. */
export async function lookAtStock(db: TenantDb, machineIds: readonly string[], at: Date): Promise<MachineKey[]> {
  if (machineIds.length === 0) return []
  // Several processes write machines: lock all of them first, in the common order.
  await holdMachines(db, machineIds)
  return applyRules(db, machineIds, ['stockLow'], { at, listeningSince: null, noDataMinutes: 0 })
}

/** The machines of the scope whose stock is managed. */
export async function managedAmong(db: TenantDb, machineIds: readonly string[]): Promise<string[]> {
  if (machineIds.length === 0) return []
  const rows = await db
    .from('machine_journals')
    .where('machine_id', 'in', [...machineIds])
    .where('manages_stock', '=', true)
    .select('machine_id')
    .execute()
  return rows.map(({ machine_id }) => machine_id)
}
