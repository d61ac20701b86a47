import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { paged, pageOf, Search } from '../frame/shapes.ts'
import { AssignedMachine } from '../machines/assigned-machine.ts'
import { Machine } from '../machines/machine.ts'
import { failsMany, ManyOutcome, machinesChosen } from '../machines/machine-acts.ts'

/** A machine with a no-vend profile. */
export const NoVendMachine = AssignedMachine.pick({
  id: true,
  merchantId: true,
  name: true,
  serial: true,
  state: true,
  hidden: true,
  groupId: true,
  groupName: true,
}).extend({
  /** What the machine does not sell: the profile's selections and those of its products. */
  selections: z.array(z.string()),
  /** Whether the machine has confirmed the profile. */
  inSync: z.boolean(),
})
export type NoVendMachine = z.infer<typeof NoVendMachine>

export const NoVendMachineFilters = z.strictObject({ search: Search.optional() })
export type NoVendMachineFilters = z.infer<typeof NoVendMachineFilters>

export const noVendMachineColumns = {
  name: { kind: 'text', heading: 'no-vend-profile:column.name' },
  inSync: { kind: 'flag', heading: 'no-vend-profile:column.sync' },
  selections: { sort: false, kind: 'text', heading: 'no-vend-profile:column.selections' },
  state: { kind: 'status', heading: 'no-vend-profile:column.state', of: 'machineState' },
  serial: { kind: 'text', heading: 'no-vend-profile:column.serial' },
  groupName: { kind: 'text', heading: 'no-vend-profile:column.group' },
} as const satisfies ListColumns

export const noVendMachineOrds = ordsOf(noVendMachineColumns, 'name')

const path = '/merchants/{merchantId}/pos/{posId}' as const
const many = '/merchants/{merchantId}/pos' as const

export const noVendAssignments = {
  setNoVendProfile: endpoint({
    method: 'PUT',
    path: `${path}/no-vend-profile`,
    summary: 'Set or clear the no-vend profile of a point of sale and send it',
    needs: 'noVendProfile.write',
    feature: 'vending',
    body: z.strictObject({ noVendProfileId: ids.noVendProfileId.nullable() }),
    ok: Machine,
    fails: ['MachineNotFound', 'NoVendProfileNotFound'],
  }),
  setNoVendProfiles: endpoint({
    method: 'POST',
    path: `${many}/no-vend-profiles`,
    summary: 'Set or clear the no-vend profile of points of sale and send it',
    needs: 'noVendProfile.write',
    feature: 'vending',
    body: z.strictObject({ machines: machinesChosen, noVendProfileId: ids.noVendProfileId.nullable() }),
    ok: ManyOutcome,
    status: 200,
    fails: [...failsMany, 'NoVendProfileNotFound'],
    timeOut: 'large',
  }),
  listNoVendMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/no-vend-profiles/{noVendProfileId}/pos',
    summary: 'List points of sale with a no-vend profile and whether they have confirmed it',
    needs: 'noVendProfile.read',
    feature: 'vending',
    finds: ['noVendProfileId'],
    topics: ['noVendProfile', 'machine', 'configuration', 'group'],
    query: NoVendMachineFilters.extend(paged(noVendMachineOrds)),
    ok: pageOf(NoVendMachine),
    fails: ['NoVendProfileNotFound'],
  }),
}
