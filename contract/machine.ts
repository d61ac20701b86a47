import { z } from 'zod'
import { conflictOf, Version } from './editing.ts'
import { endpoint } from './endpoint.ts'
import { Flag, Instant, InstantInput, LineText, MinorUnits, oneOrMany, paged, pageOf, Search } from './shapes.ts'
import { Currency } from './vocabulary/currencies.ts'
import { Connection, DeviceType, NetworkType, PosStatus } from './vocabulary/device.ts'

/** What an operator reads first: is it selling, and if not, why. Derived from connection and open alarms. */
export const machineStates = ['blocked', 'silent', 'warning', 'selling'] as const
export const MachineState = z.enum(machineStates)
export type MachineState = z.infer<typeof MachineState>

/** A machine in a list. Amounts are minor units of `currency`; `salesByDay` are the last 14 local days, oldest first. */
export const MachineRow = z.strictObject({
  id: z.uuid(),
  version: Version,
  merchantId: z.uuid(),
  merchantName: z.string(),
  currency: Currency,
  timeZone: z.string(),
  serial: z.string(),
  name: z.string(),
  deviceType: z.string(),
  groupId: z.uuid().nullable(),
  groupName: z.string().nullable(),
  address: z.string().nullable(),
  state: MachineState,
  connection: Connection,
  posStatus: PosStatus,
  openAlarms: z.int(),
  worstAlarm: z.strictObject({ code: z.string(), since: Instant }).nullable(),
  signalPercent: z.int().nullable(),
  cashInBox: MinorUnits.nullable(),
  cashBoxCapacity: MinorUnits.nullable(),
  firmwareVersion: z.string().nullable(),
  salesToday: MinorUnits,
  vendsToday: z.int(),
  salesByDay: z.array(MinorUnits),
  lastSeenAt: Instant.nullable(),
  lastSaleAt: Instant.nullable(),
  lastAuditAt: Instant.nullable(),
})
export type MachineRow = z.infer<typeof MachineRow>

/** Everything known of one machine. */
export const Machine = MachineRow.extend({
  createdAt: Instant,
  hidden: z.boolean(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  boardSerial: z.string().nullable(),
  boardModel: z.string().nullable(),
  boardVersion: z.string().nullable(),
  modemManufacturer: z.string().nullable(),
  modemModel: z.string().nullable(),
  modemVersion: z.string().nullable(),
  ethernetManufacturer: z.string().nullable(),
  macAddress: z.string().nullable(),
  simIccid: z.string().nullable(),
  simImsi: z.string().nullable(),
  simOperator: z.string().nullable(),
  imei: z.string().nullable(),
  publicIp: z.string().nullable(),
  networkType: NetworkType.nullable(),
  telemetryBoardType: z.string().nullable(),
  telemetryBoardVersion: z.string().nullable(),
  warrantyUntil: z.iso.date().nullable(),
  lastPingAt: Instant.nullable(),
  lastBootAt: Instant.nullable(),
  usualSalesToday: MinorUnits,
  clockDriftSeconds: z.int().nullable(),
})
export type Machine = z.infer<typeof Machine>

export const MachineFilters = z.strictObject({
  search: Search.optional(),
  groupIds: oneOrMany(z.uuid()),
  deviceTypes: oneOrMany(DeviceType),
  states: oneOrMany(MachineState),
  /** Those whose cash box wants emptying. */
  fullCashBox: Flag.optional(),
  ids: oneOrMany(z.uuid()),
})
export type MachineFilters = z.infer<typeof MachineFilters>

export const machineOrds = [
  'name',
  'serial',
  'deviceType',
  'groupName',
  'state',
  'lastSeenAt',
  'lastSaleAt',
  'lastAuditAt',
  'signalPercent',
  'firmwareVersion',
  'cashInBox',
] as const

/** A machine on the map. */
export const MapPoint = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  name: z.string(),
  state: MachineState,
  latitude: z.number(),
  longitude: z.number(),
})
export type MapPoint = z.infer<typeof MapPoint>

/** How many machines are in which state. */
export const MachineCounts = z.strictObject({
  total: z.int(),
  blocked: z.int(),
  silent: z.int(),
  warning: z.int(),
  selling: z.int(),
})
export type MachineCounts = z.infer<typeof MachineCounts>

/** One line of a machine's story. `code` and `status` are words of the vocabulary of its kind. */
export const TimelineEntry = z.strictObject({
  id: z.string(),
  kind: z.enum(['alarm', 'repair', 'reopen', 'command', 'audit', 'note', 'boot', 'association']),
  at: Instant,
  code: z.string().nullable(),
  status: z.string().nullable(),
  criticity: z.int().nullable(),
  by: z.string().nullable(),
  text: z.string().nullable(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** What somebody in front of a new machine needs to attach it. */
export const AssociationInfo = z.strictObject({
  pin: z.string().regex(/^\d{8}$/),
  httpUrl: z.string(),
  mqttHost: z.string(),
  mqttPort: z.int(),
  mqttTls: z.boolean(),
})
export type AssociationInfo = z.infer<typeof AssociationInfo>

/** What people say of a machine; what an edit leaves out stays as it is. */
export const MachineFields = {
  name: LineText.trim().min(1).max(200),
  address: LineText.trim().min(1).max(300).nullable(),
  groupId: z.uuid().nullable(),
}
export const MachineEdit = z.strictObject({
  version: Version,
  name: MachineFields.name.optional(),
  address: MachineFields.address.optional(),
  groupId: MachineFields.groupId.optional(),
})
export type MachineEdit = z.infer<typeof MachineEdit>

export const MachineRowEdit = MachineEdit.extend({ id: z.uuid() })
export type MachineRowEdit = z.infer<typeof MachineRowEdit>

/** At most this many machines are edited in one call. */
export const mostEdited = 500

/** What became of one machine's edit: saved, or why not. */
export const MachineEditOutcome = z.discriminatedUnion('code', [
  z.strictObject({ id: z.uuid(), code: z.literal('Saved'), row: MachineRow }),
  z.strictObject({ id: z.uuid(), code: z.enum(['PosNameTaken', 'GroupRequired']) }),
  z.strictObject({ id: z.uuid(), code: z.literal('EditConflict'), facts: conflictOf(MachineRow) }),
])
export type MachineEditOutcome = z.infer<typeof MachineEditOutcome>

export const machines = {
  listMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/paged',
    summary: 'Points of sale, page by page',
    needs: 'machine.read',
    query: MachineFilters.extend(paged(machineOrds)),
    ok: pageOf(MachineRow),
  }),
  countMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/counts',
    summary: 'How many points of sale are in which state',
    needs: 'machine.read',
    ok: MachineCounts,
  }),
  mapMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/map',
    summary: 'Where the points of sale stand',
    needs: 'machine.read',
    query: MachineFilters,
    ok: z.array(MapPoint),
    timeOut: 'large',
  }),
  getMachine: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}',
    summary: 'One point of sale',
    needs: 'machine.read',
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  updateMachine: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos/{posId}',
    summary: 'Changes name, address and group of a point of sale',
    needs: 'machine.write',
    body: MachineEdit,
    ok: Machine,
    fails: ['MachineNotFound', 'GroupNotFound', 'GroupRequired', 'PosNameTaken', 'EditConflict'],
  }),
  updateMachines: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos',
    summary: 'Changes name, address and group of points of sale; each is saved or refused by itself',
    needs: 'machine.write',
    body: z.strictObject({
      rows: z
        .array(MachineRowEdit)
        .min(1)
        .max(mostEdited)
        .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length),
    }),
    ok: z.strictObject({ rows: z.array(MachineEditOutcome) }),
    fails: ['MachineNotFound', 'GroupNotFound', 'PosNameTaken'],
    timeOut: 'large',
  }),
  getTimeline: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/timeline',
    summary: 'Alarms, commands, audits, restarts and notes of a point of sale, newest first',
    needs: 'machine.read',
    query: z.strictObject({
      before: InstantInput.optional(),
      size: z.coerce.number().int().min(1).max(100).default(20),
    }),
    ok: z.array(TimelineEntry),
    fails: ['MachineNotFound'],
  }),
  getAssociation: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/association',
    summary: 'What a new machine needs to be attached to the merchant',
    needs: 'machine.associate',
    ok: AssociationInfo,
    fails: ['MerchantNotFoundException'],
  }),
}
