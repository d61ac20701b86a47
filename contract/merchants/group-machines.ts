import { endpoint } from '../frame/endpoint.ts'
import { paged, pageOf } from '../frame/shapes.ts'
import {
  AssignedFilters,
  AssignedMachine,
  assignedOrds,
  MovedMachines,
  MoveMachines,
} from '../machines/assigned-machine.ts'
import { Group } from './group.ts'

/** The machines of a group. Apart from the groups, whose rows are a part of the portal's first screen. */
export const groupMachines = {
  listGroupMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/groups/{groupId}/pos',
    summary: 'List machines in a group, or outside it',
    needs: 'group.read',
    finds: ['groupId'],
    topics: ['group', 'client', 'machine'],
    query: AssignedFilters.extend(paged(assignedOrds)),
    ok: pageOf(AssignedMachine),
    fails: ['GroupNotFound'],
  }),
  moveGroupMachines: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/groups/{groupId}/pos',
    summary: 'Add machines to a group and remove machines: all of them or, if one is out of reach, none',
    needs: 'group.write',
    body: MoveMachines,
    ok: MovedMachines,
    fails: ['GroupNotFound', 'MachineNotFound', 'GroupRequired', 'SelectionChanged'],
    timeOut: 'large',
  }),
  getMachineGroup: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/group',
    summary: 'Get the group of a point of sale',
    needs: 'machine.read',
    finds: ['posId'],
    ok: Group,
    fails: ['MachineNotFound', 'GroupNotFound'],
  }),
}
