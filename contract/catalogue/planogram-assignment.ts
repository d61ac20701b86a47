import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import type { ListColumns } from '../frame/list-columns.ts'
import { paged, pageOf } from '../frame/shapes.ts'
import {
  AssignedFilters,
  AssignedMachine,
  assignedColumns,
  assignedOrds,
  MovedMachines,
  MoveMachines,
} from '../machines/assigned-machine.ts'
import { Machine } from '../machines/machine.ts'
import { failsMany, ManyOutcome, machinesChosen } from '../machines/machine-acts.ts'

const path = '/merchants/{merchantId}/pos/{posId}' as const
const many = '/merchants/{merchantId}/pos' as const

/** A machine with its present planogram, if any. */
export const PlanogramMachine = AssignedMachine.extend({
  planogramId: z.uuid().nullable(),
  planogramName: z.string().nullable(),
})
export type PlanogramMachine = z.infer<typeof PlanogramMachine>

export const planogramMachineColumns = {
  ...assignedColumns,
  planogramName: { kind: 'text', heading: 'assigned:column.planogram' },
} as const satisfies ListColumns

export const planogramAssignments = {
  setMachinePlanogram: endpoint({
    method: 'PUT',
    path: `${path}/planogram`,
    summary: 'Set or clear the planogram of a point of sale',
    needs: 'planogram.write',
    feature: 'vending',
    body: z.strictObject({ planogramId: ids.planogramId.nullable() }),
    ok: Machine,
    fails: ['MachineNotFound', 'PlanogramNotFound'],
  }),
  setMachinePlanograms: endpoint({
    method: 'POST',
    path: `${many}/planograms`,
    summary: 'Set or clear the planogram of points of sale',
    needs: 'planogram.write',
    feature: 'vending',
    body: z.strictObject({ machines: machinesChosen, planogramId: ids.planogramId.nullable() }),
    ok: ManyOutcome,
    status: 200,
    fails: [...failsMany, 'PlanogramNotFound'],
    timeOut: 'large',
  }),
  listPlanogramMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/planograms/{planogramId}/pos',
    summary: 'List points of sale with a planogram, or without it',
    needs: 'planogram.read',
    feature: 'vending',
    finds: ['planogramId'],
    topics: ['planogram', 'machine', 'group', 'client'],
    query: AssignedFilters.extend(paged(assignedOrds)),
    ok: pageOf(PlanogramMachine),
    fails: ['PlanogramNotFound'],
  }),
  movePlanogramMachines: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/planograms/{planogramId}/pos',
    summary:
      'Assign a planogram to points of sale and remove it from others: all of them or, if one is out of reach, none',
    needs: 'planogram.write',
    feature: 'vending',
    body: MoveMachines,
    ok: MovedMachines,
    fails: ['PlanogramNotFound', 'MachineNotFound', 'SelectionChanged'],
    timeOut: 'large',
  }),
}
