import type { Doors } from '#database/frame/tenant.ts'
import { moveSums, regroupedMachines } from '#database/sales/regroup.ts'

/** Machines per query; the next query takes the rest. */
const machinesAtOnce = 1000

/**
 * Moves the sums of machines that changed their group to their current group, one machine after the other. Returns their
 * number.
 */
export async function moveAllSums(doors: Doors): Promise<number> {
  const regrouped = await regroupedMachines(doors, machinesAtOnce)
  for (const machine of regrouped) await moveSums(doors, machine)
  return regrouped.length
}
