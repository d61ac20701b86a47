import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { selectionOf } from '../frame/selection.ts'
import { Group } from '../merchants/group.ts'
import { Machine, MachineFilters, MachineRow } from './machine.ts'

/** How a machine stands, for who asks often. */
export const MachineStatus = MachineRow.pick({
  id: true,
  state: true,
  connection: true,
  posStatus: true,
  openAlarms: true,
  worstAlarm: true,
  hidden: true,
  lastSeenAt: true,
  lastSaleAt: true,
  lastAuditAt: true,
})
export type MachineStatus = z.infer<typeof MachineStatus>

/** The address that the code on a machine holds: `<this deployment>/m/<serial>`, which leads to the machine's page. */
export const machineAddress = (origin: string, serial: string) => `${origin}/m/${encodeURIComponent(serial)}`

export const QrCode = z.strictObject({ serial: z.string(), name: z.string(), url: z.url() })
export type QrCode = z.infer<typeof QrCode>

const machinesChosen = selectionOf(ids.posId, MachineFilters)

/** Why one of many machines stays as it was. `GroupNotFound`, `ClientNotFound`: it is another merchant's machine. */
export const actRefusals = ['GroupRequired', 'GroupNotFound', 'ClientNotFound'] as const

/** What became of many machines: those that are another way now, with what they were, and why others are not. The rest was so already. */
export const ManyOutcome = z.strictObject({
  changed: z.array(z.strictObject({ id: z.uuid(), before: z.uuid().nullable() })),
  unchanged: z.int(),
  refused: z.array(z.strictObject({ id: z.uuid(), code: z.enum(actRefusals) })),
})
export type ManyOutcome = z.infer<typeof ManyOutcome>

const path = '/merchants/{merchantId}/pos/{posId}' as const
const many = '/merchants/{merchantId}/pos' as const
const failsMany = [
  'MachineNotFound',
  'GroupNotFound',
  'ClientNotFound',
  'SelectionChanged',
  'PeriodReversed',
  'FeatureFilterOfAll',
] as const

export const machineActs = {
  getMachineStatus: endpoint({
    method: 'GET',
    path: `${path}/status`,
    summary: 'How a point of sale stands',
    needs: 'machine.read',
    finds: ['posId'],
    ok: MachineStatus,
    fails: ['MachineNotFound'],
  }),
  hideMachine: endpoint({
    method: 'PUT',
    path: `${path}/hide`,
    summary: 'Hides a point of sale from lists, counts, dashboards and the map, or shows it again',
    needs: 'machine.write',
    body: z.strictObject({ hidden: z.boolean() }),
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  hideMachines: endpoint({
    method: 'PUT',
    path: `${many}/hide`,
    summary: 'Hides many points of sale, or shows them again',
    needs: 'machine.write',
    body: z.strictObject({ machines: machinesChosen, hidden: z.boolean() }),
    ok: ManyOutcome,
    fails: failsMany,
    timeOut: 'large',
  }),
  allowReassociation: endpoint({
    method: 'PUT',
    path: `${path}/reassociation`,
    summary:
      'Lets a point of sale associate again with the PIN alone, for 24 hours or until it signs in; or ends that at once',
    needs: 'machine.reassociate',
    body: z.strictObject({ allowed: z.boolean() }),
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  resetMachine: endpoint({
    method: 'PUT',
    path: `${path}/reset`,
    summary: 'Forgets what a point of sale has told of itself and of its condition, and asks it to tell it again',
    needs: 'machine.reset',
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  deleteMachine: endpoint({
    method: 'DELETE',
    path,
    summary:
      'Deletes a point of sale; what it has sold stays in all sums, and its serial is free to be associated anew',
    needs: 'machine.delete',
    fails: ['MachineNotFound'],
  }),
  setMachineGroup: endpoint({
    method: 'PUT',
    path: `${path}/associate-group`,
    summary: 'Puts a point of sale into a group, or into none',
    needs: 'machine.write',
    body: z.strictObject({ groupId: ids.groupId.nullable() }),
    ok: Machine,
    fails: ['MachineNotFound', 'GroupNotFound', 'GroupRequired'],
  }),
  setMachineGroups: endpoint({
    method: 'POST',
    path: `${many}/groups`,
    summary: 'Puts many points of sale into a group, or into none',
    needs: 'machine.write',
    body: z.strictObject({ machines: machinesChosen, groupId: ids.groupId.nullable() }),
    ok: ManyOutcome,
    status: 200,
    fails: failsMany,
    timeOut: 'large',
  }),
  getMachineGroup: endpoint({
    method: 'GET',
    path: `${path}/group`,
    summary: 'The group of a point of sale',
    needs: 'machine.read',
    finds: ['posId'],
    ok: Group,
    fails: ['MachineNotFound', 'GroupNotFound'],
  }),
  leaveMachineGroup: endpoint({
    method: 'DELETE',
    path: `${path}/group`,
    summary: 'Takes a point of sale out of its group',
    needs: 'machine.write',
    fails: ['MachineNotFound', 'GroupRequired'],
  }),
  setMachineClient: endpoint({
    method: 'PUT',
    path: `${path}/client`,
    summary: 'Says at which client a point of sale stands, or at none',
    needs: 'machine.write',
    body: z.strictObject({ clientId: ids.clientId.nullable() }),
    ok: Machine,
    fails: ['MachineNotFound', 'ClientNotFound'],
  }),
  setMachineClients: endpoint({
    method: 'POST',
    path: `${many}/clients`,
    summary: 'Says at which client many points of sale stand, or at none',
    needs: 'machine.write',
    body: z.strictObject({ machines: machinesChosen, clientId: ids.clientId.nullable() }),
    ok: ManyOutcome,
    status: 200,
    fails: failsMany,
    timeOut: 'large',
  }),
  setNoVendProfile: endpoint({
    method: 'PUT',
    path: `${path}/no-vend-profile`,
    summary: 'Takes the no-vend profile of a point of sale away. There are none to be given yet: any id is refused',
    needs: 'machine.write',
    body: z.strictObject({ noVendProfileId: z.uuid().nullable() }),
    ok: Machine,
    fails: ['MachineNotFound', 'NoVendProfileNotFound'],
  }),
  setManageStock: endpoint({
    method: 'PUT',
    path: `${path}/manageStock`,
    summary: 'Says whether what a point of sale holds is counted here',
    needs: 'machine.write',
    body: z.strictObject({ manageStock: z.boolean() }),
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  getQrCode: endpoint({
    method: 'GET',
    path: `${path}/qrcode`,
    summary: 'The address that the code on a point of sale holds',
    needs: 'machine.read',
    finds: ['posId'],
    ok: QrCode,
    fails: ['MachineNotFound'],
  }),
  getQrImage: endpoint({
    method: 'GET',
    path: `${path}/qrcode/image`,
    summary: 'The code of a point of sale as a picture',
    needs: 'machine.read',
    finds: ['posId'],
    produces: 'image/svg+xml',
    fails: ['MachineNotFound'],
  }),
  downloadQrCode: endpoint({
    method: 'GET',
    path: `${path}/qrcode/download`,
    summary: 'The code of a point of sale as a file',
    needs: 'machine.read',
    finds: ['posId'],
    query: z.strictObject({ format: z.enum(['png', 'svg']).default('png') }),
    produces: 'application/octet-stream',
    fails: ['MachineNotFound'],
  }),
}
