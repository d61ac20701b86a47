import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { mostSelected, selectionOf } from '../frame/selection.ts'
import { StockCounter } from '../vocabulary/stock.ts'
import { Language } from '../vocabulary/world/languages.ts'
import { Machine, MachineFilters, MachineRow } from './machine.ts'

/** A machine's status, for frequent polling. */
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

/**
 * The address in a machine's QR code: `<this deployment>/m/<code>`. Customers see the machine's public page there, users the machine's own. A machine that
 * was never associated has no code, and its serial instead.
 */
export const machineAddress = (origin: string, codeOrSerial: string) =>
  `${origin}/m/${encodeURIComponent(codeOrSerial)}`

export const QrCode = z.strictObject({ serial: z.string(), name: z.string(), url: z.url() })
export type QrCode = z.infer<typeof QrCode>

/** A printed label: who the machine is, and the address in its QR code. */
export const MachineLabel = QrCode.extend({
  id: z.uuid(),
  merchantName: z.string(),
  /** Customers see a page of it: its merchant's portal is published, and the machine has a code and is not hidden. */
  isPublic: z.boolean(),
})
export type MachineLabel = z.infer<typeof MachineLabel>

/** For whom a label is: customers, whom it leads to the machine's public page, or technicians, whom it leads to the machine's page in the portal. */
export const labelReaders = ['customers', 'staff'] as const
export const LabelReader = z.enum(labelReaders)
export type LabelReader = z.infer<typeof LabelReader>

/** The address in a technician's QR code, which never leads to the public page. */
export const staffAddress = (address: string) => `${address}?staff`

/** Paper of labels: sheets of A4 with 24, 8 or 2 of them, or rolls of label printers, by millimetres. */
export const labelPapers = ['a4x24', 'a4x8', 'a4x2', 'roll62x100', 'roll50x30'] as const
export const LabelPaper = z.enum(labelPapers)
export type LabelPaper = z.infer<typeof LabelPaper>

export const machinesChosen = selectionOf(ids.posId, MachineFilters)

/** Why one of many machines stays unchanged. `GroupNotFound`, `ClientNotFound`: it is another merchant's machine. */
export const actRefusals = [
  'GroupRequired',
  'GroupNotFound',
  'ClientNotFound',
  'PlanogramNotFound',
  'NoVendProfileNotFound',
] as const

/** The result of a change of many machines: the changed machines with their values before, and the refused ones with reasons. The rest already had the value. */
export const ManyOutcome = z.strictObject({
  changed: z.array(z.strictObject({ id: z.uuid(), before: z.uuid().nullable() })),
  unchanged: z.int(),
  refused: z.array(z.strictObject({ id: z.uuid(), code: z.enum(actRefusals) })),
})
export type ManyOutcome = z.infer<typeof ManyOutcome>

/** `stockCountedBy`: by default as before, and the portal at first. */
const ManageStock = { manageStock: z.boolean(), stockCountedBy: StockCounter.optional() }

const path = '/merchants/{merchantId}/pos/{posId}' as const
const many = '/merchants/{merchantId}/pos' as const
export const failsMany = [
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
    summary: 'Get the status of a point of sale',
    needs: 'machine.read',
    finds: ['posId'],
    ok: MachineStatus,
    fails: ['MachineNotFound'],
  }),
  hideMachine: endpoint({
    method: 'PUT',
    path: `${path}/hide`,
    summary: 'Hide a point of sale from lists, counts, dashboards and maps, or unhide it',
    needs: 'machine.write',
    body: z.strictObject({ hidden: z.boolean() }),
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  hideMachines: endpoint({
    method: 'PUT',
    path: `${many}/hide`,
    summary: 'Hide or unhide points of sale',
    needs: 'machine.write',
    body: z.strictObject({ machines: machinesChosen, hidden: z.boolean() }),
    ok: ManyOutcome,
    fails: failsMany,
    timeOut: 'large',
  }),
  allowReassociation: endpoint({
    method: 'PUT',
    path: `${path}/reassociation`,
    summary: 'Allow a point of sale to re-associate with the PIN for 24 hours, or end this permission',
    needs: 'machine.reassociate',
    body: z.strictObject({ allowed: z.boolean() }),
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  resetMachine: endpoint({
    method: 'PUT',
    path: `${path}/reset`,
    summary: 'Reset the reported data of a point of sale and request it again',
    needs: 'machine.reset',
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  deleteMachine: endpoint({
    method: 'DELETE',
    path,
    summary: 'Delete a point of sale; its sales stay in all totals, and its serial can be associated again',
    needs: 'machine.delete',
    fails: ['MachineNotFound'],
  }),
  setMachineGroup: endpoint({
    method: 'PUT',
    path: `${path}/associate-group`,
    summary: 'Set or clear the group of a point of sale',
    needs: 'machine.write',
    body: z.strictObject({ groupId: ids.groupId.nullable() }),
    ok: Machine,
    fails: ['MachineNotFound', 'GroupNotFound', 'GroupRequired'],
  }),
  setMachineGroups: endpoint({
    method: 'POST',
    path: `${many}/groups`,
    summary: 'Set or clear the group of points of sale',
    needs: 'machine.write',
    body: z.strictObject({ machines: machinesChosen, groupId: ids.groupId.nullable() }),
    ok: ManyOutcome,
    status: 200,
    fails: failsMany,
    timeOut: 'large',
  }),
  leaveMachineGroup: endpoint({
    method: 'DELETE',
    path: `${path}/group`,
    summary: 'Remove a point of sale from its group',
    needs: 'machine.write',
    fails: ['MachineNotFound', 'GroupRequired'],
  }),
  setMachineClient: endpoint({
    method: 'PUT',
    path: `${path}/client`,
    summary: 'Set or clear the client of a point of sale',
    needs: 'machine.write',
    body: z.strictObject({ clientId: ids.clientId.nullable() }),
    ok: Machine,
    fails: ['MachineNotFound', 'ClientNotFound'],
  }),
  setMachineClients: endpoint({
    method: 'POST',
    path: `${many}/clients`,
    summary: 'Set or clear the client of points of sale',
    needs: 'machine.write',
    body: z.strictObject({ machines: machinesChosen, clientId: ids.clientId.nullable() }),
    ok: ManyOutcome,
    status: 200,
    fails: failsMany,
    timeOut: 'large',
  }),
  setManageStock: endpoint({
    method: 'PUT',
    path: `${path}/manageStock`,
    summary: 'Turn stock management of a point of sale on or off, and set who counts',
    needs: 'machine.write',
    body: z.strictObject(ManageStock),
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  setManageStocks: endpoint({
    method: 'PUT',
    path: `${many}/manageStock`,
    summary: 'Turn stock management of points of sale on or off, and set who counts',
    needs: 'machine.write',
    body: z.strictObject({ machines: machinesChosen, ...ManageStock }),
    ok: ManyOutcome,
    fails: failsMany,
    timeOut: 'large',
  }),
  getQrCode: endpoint({
    method: 'GET',
    path: `${path}/qrcode`,
    summary: 'Get the URL in the QR code of a point of sale',
    needs: 'machine.read',
    finds: ['posId'],
    ok: QrCode,
    fails: ['MachineNotFound'],
  }),
  getMachineLabels: endpoint({
    method: 'POST',
    path: `${many}/labels`,
    summary: 'Get the labels of points of sale with the URLs in their QR codes, in the order of the request',
    needs: 'machine.read',
    body: z.strictObject({ posIds: z.array(ids.posId).min(1).max(mostSelected) }),
    ok: z.array(MachineLabel),
    status: 200,
    fails: ['MachineNotFound'],
  }),
  printMachineLabels: endpoint({
    method: 'POST',
    path: `${many}/labels/pdf`,
    summary: 'Download the labels of points of sale as PDF, in the order of the request',
    needs: 'machine.read',
    body: z.strictObject({
      posIds: z.array(ids.posId).min(1).max(mostSelected),
      reader: LabelReader,
      paper: LabelPaper,
      /** Of its words; the reader's own by default. */
      language: Language.optional(),
    }),
    produces: 'application/pdf',
    fails: ['MachineNotFound', 'MachinePagesNotFound'],
    timeOut: 'large',
  }),
  getQrImage: endpoint({
    method: 'GET',
    path: `${path}/qrcode/image`,
    summary: 'Get the QR code of a point of sale as an image',
    needs: 'machine.read',
    finds: ['posId'],
    produces: 'image/svg+xml',
    fails: ['MachineNotFound'],
  }),
  downloadQrCode: endpoint({
    method: 'GET',
    path: `${path}/qrcode/download`,
    summary: 'Download the QR code of a point of sale',
    needs: 'machine.read',
    finds: ['posId'],
    query: z.strictObject({ format: z.enum(['png', 'svg']).default('png') }),
    produces: 'application/octet-stream',
    fails: ['MachineNotFound'],
  }),
}
