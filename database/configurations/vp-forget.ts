import type { TenantDb } from '../frame/tenant.ts'

/** Forgets the target and the report of a machine that leaves its merchant. */
export async function forgetVp(db: TenantDb, machineId: string): Promise<void> {
  await db.query
    .deleteFrom('vp_targets')
    .where(db.narrow('vp_targets'))
    .where('vp_targets.machine_id', '=', machineId)
    .execute()
  await db.query
    .deleteFrom('vp_reports')
    .where(db.narrow('vp_reports'))
    .where('vp_reports.machine_id', '=', machineId)
    .execute()
}
