import { ProductError } from '#contract/errors.ts'
import { foreignGroups, foreignMachines } from '#database/group.ts'
import { findMachine } from '#database/machine.ts'
import type { TenantDb } from '#database/tenant.ts'

/** A period whose end lies before its start is nobody's intention. */
export function refuseReversed(period: { startDate?: string | undefined; endDate?: string | undefined }): void {
  if (period.startDate && period.endDate && period.endDate < period.startDate) throw new ProductError('PeriodReversed')
}

/** Groups and machines named in a filter must be in the caller's scope; a foreign one answers as if it did not exist. */
export async function refuseForeign(
  db: TenantDb,
  filters: { groupIds?: string[] | undefined; posIds?: string[] | undefined; ids?: string[] | undefined },
): Promise<void> {
  const machines = [...(filters.posIds ?? []), ...(filters.ids ?? [])]
  if (filters.groupIds?.length && (await foreignGroups(db, filters.groupIds)).length > 0)
    throw new ProductError('GroupNotFound')
  if (machines.length > 0 && (await foreignMachines(db, machines)).length > 0) throw new ProductError('MachineNotFound')
}

/** The machine of a path; one outside the scope answers as if it did not exist. */
export async function machineOf(db: TenantDb, posId: string) {
  const machine = await findMachine(db, posId)
  if (!machine) throw new ProductError('MachineNotFound')
  return machine
}
