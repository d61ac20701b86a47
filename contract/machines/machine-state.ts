import { z } from 'zod'

/** The POS status: whether the machine sells, derived from connection and open alarms. */
export const machineStates = ['blocked', 'silent', 'warning', 'selling'] as const
export const MachineState = z.enum(machineStates)
export type MachineState = z.infer<typeof MachineState>

/** The number of machines by state. */
export const MachineCounts = z.strictObject({
  total: z.int(),
  blocked: z.int(),
  silent: z.int(),
  warning: z.int(),
  selling: z.int(),
})
export type MachineCounts = z.infer<typeof MachineCounts>

/** The same with how many machines have which POS status; all but the correct ones need attention. */
export const MachineFacets = MachineCounts.extend({
  posStatuses: z.strictObject({ correct: z.int(), warning: z.int(), critical: z.int() }),
})
