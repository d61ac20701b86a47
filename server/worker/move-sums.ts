import type { Doors } from '#database/frame/tenant.ts'
import { moveSums, regroupedMachines } from '#database/sales/regroup.ts'

/** Machines that are looked for at once; the next look takes the rest. */
const machinesAtOnce = 1000

/** Moves the sums of machines that changed their group to the one they are in now, one after the other. Answers how many. */
export async function moveAllSums(doors: Doors): Promise<number> {
  const regrouped = await regroupedMachines(doors, machinesAtOnce)
  for (const machine of regrouped) await moveSums(doors, machine)
  return regrouped.length
}
