import { z } from 'zod'
import { conflictOf, Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { ofFeature } from '../frame/of-feature.ts'
import {
  Day,
  DayRange,
  Flag,
  Instant,
  InstantInput,
  idOrObject,
  LineText,
  MinorUnits,
  oneOrMany,
  paged,
  pageOf,
  Search,
  Text,
} from '../frame/shapes.ts'
import { Pin } from '../rules/text.ts'
import { Connection, DeviceType, NetworkType, PosStatus } from '../vocabulary/device.ts'
import { PosSector } from '../vocabulary/pos-sector.ts'
import { StockCounter } from '../vocabulary/stock.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { MachineFacets, MachineState } from './machine-state.ts'

/** A warranty is highlighted when it ends within this number of days. */
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
  sector: PosSector.nullable(),
  hidden: z.boolean(),
  state: MachineState,
  connection: Connection,
  posStatus: PosStatus,
  openAlarms: z.int(),
  worstAlarm: z.strictObject({ code: z.string(), since: Instant }).nullable(),
  signalPercent: ofFeature('network', z.int().nullable()),
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
  /** When users last edited the machine. */
  updatedAt: Instant,
  /** The last day of its warranty, and the warranty's status today in the machine's time zone. */
  warrantyUntil: z.iso.date().nullable(),
  warranty: WarrantyState,
  /** The last day that its merchant has prepaid: three years from its association, where the merchant has that service. */
  prepaidUntil: z.iso.date().nullable(),
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
  modemManufacturer: ofFeature('network', z.string().nullable()),
  modemModel: ofFeature('network', z.string().nullable()),
  modemVersion: ofFeature('network', z.string().nullable()),
  ethernetManufacturer: ofFeature('network', z.string().nullable()),
  ethernetModel: ofFeature('network', z.string().nullable()),
  ethernetVersion: ofFeature('network', z.string().nullable()),
  macAddress: ofFeature('network', z.string().nullable()),
  simIccid: ofFeature('network', z.string().nullable()),
  simImsi: ofFeature('network', z.string().nullable()),
  simOperator: ofFeature('network', z.string().nullable()),
  imei: ofFeature('network', z.string().nullable()),
  publicIp: ofFeature('network', z.string().nullable()),
  networkType: ofFeature('network', NetworkType.nullable()),
  telemetryBoardType: z.string().nullable(),
  telemetryBoardVersion: z.string().nullable(),
  /** Whether its stock is managed. */
  manageStock: ofFeature('productStock', z.boolean()),
  /** Who counts while it is managed. */
  stockCountedBy: ofFeature('productStock', StockCounter),
  planogramId: ofFeature('vending', z.uuid().nullable()),
  planogramName: ofFeature('vending', z.string().nullable()),
  noVendProfileId: ofFeature('vending', z.uuid().nullable()),
  noVendProfileName: ofFeature('vending', z.string().nullable()),
  /** Whether the machine has confirmed its no-vend profile; null without one. */
  noVendProfileInSync: ofFeature('vending', z.boolean().nullable()),
  lastPingAt: Instant.nullable(),
  lastBootAt: Instant.nullable(),
  /** The mean of the last same weekdays with data, `usualDays` of them, up to this time of the day. */
  usualSalesToday: MinorUnits,
  usualDays: z.int().min(0).max(4),
  /** To a tenth of a degree. */
  temperatureCelsius: z.number().nullable(),
  clockDriftSeconds: z.int().nullable(),
  /** Until then it can associate again with the PIN alone; null: only with its own secret. */
  reassociationUntil: Instant.nullable(),
})
export type Machine = z.infer<typeof Machine>

/** Days without a message after which a machine is without data, by default. */
export const withoutDataDefault = 7
export const WithoutDataDays = z.coerce.number().int().min(1).max(3650)

export const MachineFilters = z.strictObject({
  search: Search.optional(),
  groupIds: oneOrMany(idOrObject(ids.groupId)),
  clientId: ids.clientId.optional(),
  sectors: oneOrMany(PosSector),
  planogramId: ofFeature('vending', ids.planogramId),
  noVendProfileId: ofFeature('vending', ids.noVendProfileId),
  deviceTypes: oneOrMany(DeviceType),
  states: oneOrMany(MachineState),
  warranties: oneOrMany(WarrantyState),
  connections: oneOrMany(z.coerce.number().pipe(Connection)),
  posStatus: oneOrMany(z.coerce.number().pipe(PosStatus)),
  /** As reported by machines. */
  firmwareVersions: oneOrMany(Text.max(60)),
  /** Machines without data for this many days, or never seen. */
  withoutDataDays: WithoutDataDays.optional(),
  /** Days of the merchant's own calendar. */
  createdRangeDate: DayRange.optional(),
  lastUpdateRangeDate: DayRange.optional(),
  warrantyRangeDate: DayRange.optional(),
  /** Hidden machines are excluded by default: `only` lists them alone, `all` with the others. */
  hidden: z.enum(['only', 'all']).optional(),
  /** Exactly this one. */
  serial: Text.max(60).optional(),
  /** Machines with a cash box to collect. */
  fullCashBox: Flag.optional(),
  /** Those in which some selection is sold out, by their levels or by an alarm of their own. */
  soldOut: ofFeature('productStock', Flag),
  ids: oneOrMany(ids.pastPosId),
})
export type MachineFilters = z.infer<typeof MachineFilters>

export const machineOrds = [
  'name',
  'serial',
  'deviceType',
  'groupName',
  'state',
  'posStatus',
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
  'merchant',
  'worstAlarm',
  'openAlarms',
  'address',
  'sector',
] as const

/** A machine by its name and where it belongs, without figures. */
export const ListedMachine = MachineRow.pick({
  id: true,
  merchantId: true,
  merchantName: true,
  serial: true,
  name: true,
  deviceType: true,
  groupId: true,
  groupName: true,
  clientId: true,
  clientName: true,
  hidden: true,
  state: true,
  connection: true,
  posStatus: true,
})
export type ListedMachine = z.infer<typeof ListedMachine>

/** A machine on the map. */
export const MapPoint = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  name: z.string(),
  state: MachineState,
  posStatus: PosStatus,
  latitude: z.number(),
  longitude: z.number(),
})
export type MapPoint = z.infer<typeof MapPoint>

/**
 * Machines that a map shows together. `latitude` and `longitude` are their middle; the box contains all of them. `critical` and
 * `warning` count those in trouble, and `posStatus` is the worst of all.
 */
export const MapCluster = z.strictObject({
  count: z.int(),
  critical: z.int(),
  warning: z.int(),
  posStatus: PosStatus,
  latitude: z.number(),
  longitude: z.number(),
  west: z.number(),
  south: z.number(),
  east: z.number(),
  north: z.number(),
})
export type MapCluster = z.infer<typeof MapCluster>

const Longitude = z.coerce.number().min(-540).max(540).optional()
const Latitude = z.coerce.number().min(-90).max(90).optional()
const Pixels = z.coerce.number().int().min(1).max(10_000).optional()

/**
 * The area of a map. With a box (degrees; across the 180th meridian `east` is below `west` or above 180), only machines inside; with a box and a
 * zoom (as in MapLibre), clusters; with the size of a map in pixels, clusters of the view that shows all machines.
 */
export const MapArea = z.strictObject({
  west: Longitude,
  south: Latitude,
  east: Longitude,
  north: Latitude,
  zoom: z.coerce.number().min(0).max(24).optional(),
  width: Pixels,
  height: Pixels,
  /** Maximum single machines, the worst first. */
  size: z.coerce.number().int().min(1).max(20_000).default(20_000),
})
export type MapArea = z.infer<typeof MapArea>

export const timelineKinds = ['alarm', 'repair', 'reopen', 'command', 'audit', 'note', 'boot', 'association'] as const

/**
 * One line of a machine's story. `code` and `status` are words of the vocabulary of its kind. The scheduled audits of a day are one line.
 */
export const TimelineEntry = z.strictObject({
  id: z.string(),
  kind: z.enum(timelineKinds),
  at: Instant,
  /** The events of the line; the time is that of the last one. */
  count: z.int().min(1),
  /** The merchant's day of scheduled audits, if there are several. */
  day: Day.nullable(),
  code: z.string().nullable(),
  status: z.string().nullable(),
  criticity: z.int().nullable(),
  /** Null also where the name is kept from the reader. */
  by: z.string().nullable(),
  text: z.string().nullable(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** The information that a technician needs to attach a new machine. */
export const AssociationInfo = z.strictObject({
  pin: Pin,
  httpUrl: z.string(),
  mqttHost: z.string(),
  mqttPort: z.int(),
  mqttTls: z.boolean(),
})
export type AssociationInfo = z.infer<typeof AssociationInfo>

/** A machine's editable fields; missing fields stay. */
export const MachineFields = {
  name: LineText.trim().min(1).max(200),
  address: LineText.trim().min(1).max(300).nullable(),
  groupId: ids.groupId.nullable(),
  clientId: ids.clientId.nullable(),
  sector: PosSector.nullable(),
  warrantyUntil: Day.nullable(),
}
export const MachineEdit = z.strictObject({
  version: Version,
  name: MachineFields.name.optional(),
  address: MachineFields.address.optional(),
  groupId: MachineFields.groupId.optional(),
  clientId: MachineFields.clientId.optional(),
  sector: MachineFields.sector.optional(),
  warrantyUntil: MachineFields.warrantyUntil.optional(),
})
export type MachineEdit = z.infer<typeof MachineEdit>

export const MachineRowEdit = MachineEdit.extend({ id: ids.posId })
export type MachineRowEdit = z.infer<typeof MachineRowEdit>

/** Maximum machines in one call. */
export const mostEdited = 500

/** The result of one machine's edit: saved, or the reason why not. */
export const MachineEditOutcome = z.discriminatedUnion('code', [
  z.strictObject({ id: z.uuid(), code: z.literal('Saved'), row: MachineRow }),
  z.strictObject({ id: z.uuid(), code: z.enum(['PosNameTaken', 'GroupRequired']) }),
  z.strictObject({ id: z.uuid(), code: z.literal('EditConflict'), facts: conflictOf(MachineRow) }),
])
export type MachineEditOutcome = z.infer<typeof MachineEditOutcome>

export const machines = {
  listAllMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos',
    summary: 'List points of sale by name without pages, up to 10,000; `capped` is true if there are more',
    needs: 'machine.read',
    query: MachineFilters,
    ok: pageOf(ListedMachine),
    fails: ['MachineNotFound', 'ClientNotFound', 'PeriodReversed', 'FeatureFilterOfAll'],
    timeOut: 'large',
  }),
  listMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/paged',
    summary: 'List points of sale',
    needs: 'machine.read',
    topics: ['machine', 'alarm', 'transaction', 'audit', 'group', 'client'],
    query: MachineFilters.extend(paged(machineOrds)),
    ok: pageOf(MachineRow),
    fails: ['MachineNotFound', 'ClientNotFound', 'PeriodReversed', 'FeatureFilterOfAll'],
  }),
  countMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/counts',
    summary: 'Count points of sale by state',
    needs: 'machine.read',
    topics: ['machine', 'alarm', 'group'],
    ok: MachineFacets,
  }),
  mapMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/map',
    summary: 'List map positions of points of sale, or clusters of them in an area',
    needs: 'machine.read',
    topics: ['machine', 'alarm', 'group'],
    query: MachineFilters.extend(MapArea.shape),
    ok: z.array(z.union([MapPoint, MapCluster])),
    fails: ['MachineNotFound', 'ClientNotFound', 'PeriodReversed', 'FeatureFilterOfAll'],
    timeOut: 'large',
  }),
  getMachine: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}',
    summary: 'Get a point of sale',
    needs: 'machine.read',
    topics: ['machine', 'alarm', 'transaction', 'audit', 'group', 'client', 'noVendProfile', 'configuration'],
    ok: Machine,
    fails: ['MachineNotFound'],
  }),
  updateMachine: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos/{posId}',
    summary: 'Update name, address, group, client, sector and warranty of a point of sale',
    needs: 'machine.write',
    body: MachineEdit,
    ok: Machine,
    fails: ['MachineNotFound', 'GroupNotFound', 'ClientNotFound', 'GroupRequired', 'PosNameTaken', 'EditConflict'],
  }),
  updateMachines: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos',
    summary:
      'Update name, address, group, client, sector and warranty of points of sale; each row is saved or refused separately',
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
    summary:
      'List alarms, commands, audits, restarts and notes of a point of sale, newest first; scheduled audits day by day',
    needs: 'machine.read',
    finds: ['posId'],
    topics: ['machine', 'alarm', 'command', 'audit', 'note'],
    query: z.strictObject({
      before: InstantInput.optional(),
      size: z.coerce.number().int().min(1).max(100).default(20),
      /** All by default. */
      kinds: oneOrMany(z.enum(timelineKinds)),
    }),
    ok: z.array(TimelineEntry),
    fails: ['MachineNotFound'],
  }),
  getAssociation: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/association',
    summary: 'Get what a new machine needs to associate with the merchant',
    needs: 'machine.associate',
    hasSecret: true,
    ok: AssociationInfo,
    fails: ['MerchantNotFoundException'],
  }),
}
