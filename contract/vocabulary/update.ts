import { z } from 'zod'
import type { Peripheral, RemoteCommandType } from './remote-command.ts'

/** How far a firmware is released: to all machines, or to machines that try it. */
export const firmwareLevels = ['production', 'beta'] as const
export const FirmwareLevel = z.enum(firmwareLevels)
export type FirmwareLevel = z.infer<typeof FirmwareLevel>

/** What is updated in a machine, with the command that does it. */
export const updateCommands = {
  firmware: 11,
  cashDatabase: 13,
  peripheralFirmware: 14,
  peripheralDatabase: 15,
} as const satisfies Record<string, RemoteCommandType>
export type UpdateKind = keyof typeof updateCommands
export const updateKinds = Object.keys(updateCommands) as UpdateKind[]
export const UpdateKind = z.enum(updateKinds)

/** What a firmware updates: the machine, or a peripheral of it. */
export const kindOfFirmware = (peripheral: Peripheral | null) =>
  peripheral === null ? 'firmware' : ('peripheralFirmware' as const)
/** What a database updates. */
export const kindOfDatabase = (peripheral: Peripheral | null) =>
  peripheral === null ? 'cashDatabase' : ('peripheralDatabase' as const)

/** Steps of an update at the machine, between the go and the result. */
export const updatePhases = ['downloading', 'checking', 'waiting', 'installing'] as const
export const UpdatePhase = z.enum(updatePhases)
export type UpdatePhase = z.infer<typeof UpdatePhase>
