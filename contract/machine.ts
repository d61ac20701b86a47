import { z } from 'zod'
import { conflictOf, Version } from './editing.ts'
import { endpoint } from './endpoint.ts'
import { Pin } from './rules/text.ts'
import {
  Day,
  DayRange,
  Flag,
  IdOrObject,
  Instant,
  InstantInput,
  LineText,
  MinorUnits,
  oneOrMany,
  paged,
  pageOf,
  Search,
  Text,
} from './shapes.ts'
import { Currency } from './vocabulary/currencies.ts'
import { Connection, DeviceType, NetworkType, PosStatus } from './vocabulary/device.ts'

/** What an operator reads first: is it selling, and if not, why. Derived from connection and open alarms. */
export const machineStates = ['blocked', 'silent', 'warning', 'selling'] as const
export const MachineState = z.enum(machineStates)
export type MachineState = z.infer<typeof MachineState>

/** A warranty is worth a word when it ends within so many days. */
export const warrantySoonDays = 60

/** `ending`: within the next `warrantySoonDays`; a warranty lasts through its last day. */
export const warrantyStates = ['valid', 'ending', 'ended', 'none'] as const
export const WarrantyState = z.enum(warrantyStates)
export type WarrantyState = z.infer<typeof WarrantyState>

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
  clientId: z.uuid().nullable(),
  clientName: z.string().nullable(),
  address: z.string().nullable(),
  hidden: z.boolean(),
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
  createdAt: Instant,
  /** When people last changed what the portal says of it. */
  updatedAt: Instant,
  /** The last day of its warranty, and how that stands today where the machine is. */
  warrantyUntil: z.iso.date().nullable(),
  warranty: WarrantyState,
})
export type MachineRow = z.infer<typeof MachineRow>

/** Everything known of one machine. */
export const Machine = MachineRow.extend({
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  boardSerial: z.string().nullable(),
  boardManufacturer: z.string().nullable(),
  boardModel: z.string().nullable(),
  boardVersion: z.string().nullable(),
  modemManufacturer: z.string().nullable(),
  modemModel: z.string().nullable(),
  modemVersion: z.string().nullable(),
  ethernetManufacturer: z.string().nullable(),
  ethernetModel: z.string().nullable(),
  ethernetVersion: z.string().nullable(),
  macAddress: z.string().nullable(),
  simIccid: z.string().nullable(),
  simImsi: z.string().nullable(),
  simOperator: z.string().nullable(),
  imei: z.string().nullable(),
  publicIp: z.string().nullable(),
  networkType: NetworkType.nullable(),
  telemetryBoardType: z.string().nullable(),
  telemetryBoardVersion: z.string().nullable(),
  /** Whether what it holds is counted here. */
  manageStock: z.boolean(),
  noVendProfileId: z.uuid().nullable(),
  lastPingAt: Instant.nullable(),
  lastBootAt: Instant.nullable(),
  usualSalesToday: MinorUnits,
  /** To a tenth of a degree. */
  temperatureCelsius: z.number().nullable(),
  clockDriftSeconds: z.int().nullable(),
})
export type Machine = z.infer<typeof Machine>

/** Days without a word after which a machine is without data, unless told otherwise. */
export const withoutDataDefault = 7
export const WithoutDataDays = z.coerce.number().int().min(1).max(3650)

export const MachineFilters = z.strictObject({
  search: Search.optional(),
  groupIds: oneOrMany(IdOrObject),
  clientId: z.uuid().optional(),
  /** There are no planograms yet, so that none matches. */
  planogramId: z.uuid().optional(),
  deviceTypes: oneOrMany(DeviceType),
  states: oneOrMany(MachineState),
  warranties: oneOrMany(WarrantyState),
  connections: oneOrMany(z.coerce.number().pipe(Connection)),
  /** As the machines report them. */
  firmwareVersions: oneOrMany(Text.max(60)),
  /** Those that nobody has heard of for so many days, or never. */
  withoutDataDays: WithoutDataDays.optional(),
  /** Days of the merchant's own calendar. */
  createdRangeDate: DayRange.optional(),
  lastUpdateRangeDate: DayRange.optional(),
  warrantyRangeDate: DayRange.optional(),
  /** Hidden machines are left out unless asked for: alone, or with the others. */
  hidden: z.enum(['only', 'all']).optional(),
  /** Exactly this one. */
  serial: Text.max(60).optional(),
  /** Those whose cash box wants emptying. */
  fullCashBox: Flag.optional(),
  /** Those in which some selection is sold out, by their levels or by an alarm of their own. */
  soldOut: Flag.optional(),
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
  'clientName',
  'createdAt',
  'updatedAt',
  'warrantyUntil',
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
  /** Null also where the name is kept from the reader. */
  by: z.string().nullable(),
  text: z.string().nullable(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** What somebody in front of a new machine needs to attach it. */
export const AssociationInfo = z.strictObject({
  pin: Pin,
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
  clientId: z.uuid().nullable(),
  warrantyUntil: Day.nullable(),
}
export const MachineEdit = z.strictObject({
  version: Version,
  name: MachineFields.name.optional(),
  address: MachineFields.address.optional(),
  groupId: MachineFields.groupId.optional(),
  clientId: MachineFields.clientId.optional(),
  warrantyUntil: MachineFields.warrantyUntil.optional(),
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
    fails: ['MachineNotFound', 'ClientNotFound', 'PeriodReversed', 'FeatureFilterOfAll'],
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
    fails: ['MachineNotFound', 'ClientNotFound', 'PeriodReversed', 'FeatureFilterOfAll'],
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
    summary: 'Changes name, address, group, client and warranty of a point of sale',
    needs: 'machine.write',
    body: MachineEdit,
    ok: Machine,
    fails: ['MachineNotFound', 'GroupNotFound', 'ClientNotFound', 'GroupRequired', 'PosNameTaken', 'EditConflict'],
  }),
  updateMachines: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos',
    summary: 'Changes name, address, group, client and warranty of points of sale; each is saved or refused by itself',
    needs: 'machine.write',
    body: z.strictObject({
      rows: z
        .array(MachineRowEdit)
        .min(1)
        .max(mostEdited)
        .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length),
    }),
    ok: z.strictObject({ rows: z.array(MachineEditOutcome) }),
    fails: ['MachineNotFound', 'GroupNotFound', 'ClientNotFound', 'PosNameTaken'],
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
