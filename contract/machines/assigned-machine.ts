import { z } from 'zod'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { selectionOf } from '../frame/selection.ts'
import { Flag, Search } from '../frame/shapes.ts'
import { MachineState } from './machine-state.ts'

/** A machine as it is assigned to a group and to a client. Hidden ones count as well: they block a deletion like any other. */
export const AssignedMachine = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  name: z.string(),
  serial: z.string(),
  deviceType: z.string(),
  address: z.string().nullable(),
  state: MachineState,
  hidden: z.boolean(),
  groupId: z.uuid().nullable(),
  groupName: z.string().nullable(),
  clientId: z.uuid().nullable(),
  clientName: z.string().nullable(),
})
export type AssignedMachine = z.infer<typeof AssignedMachine>

/** `others`: in place of those assigned here, the merchant's other machines that are not hidden. */
export const AssignedFilters = z.strictObject({ search: Search.optional(), others: Flag.optional() })
export type AssignedFilters = z.infer<typeof AssignedFilters>

const machine = {
  name: { kind: 'text', heading: 'assigned:column.name' },
  state: { kind: 'status', heading: 'assigned:column.state', of: 'machineState' },
  serial: { kind: 'text', heading: 'assigned:column.serial' },
} as const satisfies ListColumns
const group = { groupName: { kind: 'text', heading: 'assigned:column.group' } } as const satisfies ListColumns
const client = { clientName: { kind: 'text', heading: 'assigned:column.client' } } as const satisfies ListColumns
const address = { address: { kind: 'text', heading: 'assigned:column.address' } } as const satisfies ListColumns

/** The columns of machines that are assigned, which have no files. */
export const assignedColumns = { ...machine, ...group, ...client, ...address } as const satisfies ListColumns

export const assignedOrds = ordsOf(assignedColumns, 'name')

export const assignedToClientColumns = { ...machine, ...client, ...group, ...address } as const satisfies ListColumns

/** Machines to add, from wherever they were, and machines to remove. */
export const MoveMachines = z
  .strictObject({
    added: selectionOf(ids.posId, AssignedFilters).optional(),
    removed: selectionOf(ids.posId, AssignedFilters).optional(),
  })
  .refine(({ added, removed }) => added !== undefined || removed !== undefined)

/** The number of machines that have moved. */
export const MovedMachines = z.strictObject({ added: z.int(), removed: z.int() })
