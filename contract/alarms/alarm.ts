import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { ofFeature } from '../frame/of-feature.ts'
import { selectionOf } from '../frame/selection.ts'
import { Flag, Instant, LineText, oneOrMany, optionalPeriod, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { SaleTerms } from '../sales/terms.ts'
import { AlarmCategory, AlarmCriticity, AlarmSource, AlarmStatus } from '../vocabulary/alarm.ts'
import { DeviceType } from '../vocabulary/device.ts'

/** An alarm of a machine. Repeated events join one alarm, and so does a fault that comes back soon: `count` times, the last at `lastAt`. */
export const Alarm = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  deviceType: z.string(),
  groupId: z.uuid().nullable(),
  groupName: z.string().nullable(),
  timeZone: z.string(),
  code: z.string(),
  source: AlarmSource,
  category: AlarmCategory,
  criticity: AlarmCriticity,
  status: AlarmStatus,
  message: z.string().nullable(),
  detail: z.string().nullable(),
  count: z.int(),
  createdAt: Instant,
  lastAt: Instant,
  repairedAt: Instant.nullable(),
  repairedBy: z.string().nullable(),
  repairNote: z.string().nullable(),
  remainingCycles: ofFeature('advancedAlarms', z.int().nullable()),
  mcbf: ofFeature('advancedAlarms', z.int().nullable()),
  /** Who acknowledged it, and until when it sends no notices; the time may be over. */
  acknowledgedAt: Instant.nullable(),
  acknowledgedBy: z.string().nullable(),
  acknowledgedUntil: Instant.nullable(),
  /** The user who takes care of it. The name is null where it is kept from the reader. */
  assigneeId: z.uuid().nullable(),
  assigneeName: z.string().nullable(),
  /** Its machine sold after the fault was last reported, although the alarm blocks it. */
  sellsStill: z.boolean(),
})
export type Alarm = z.infer<typeof Alarm>

/** Times of an alarm that are shown. */
export const mostAlarmTimes = 50
/** Comments of an alarm that are shown. */
export const mostAlarmComments = 100

/** What a user wrote about an alarm. `by` is null where the name is kept from the reader. */
export const AlarmComment = z.strictObject({ id: z.uuid(), at: Instant, by: z.string().nullable(), text: z.string() })
export type AlarmComment = z.infer<typeof AlarmComment>

/** The last ended alarm of the same code: on the same machine, else on another one of its model. */
export const AlarmRemedy = z.strictObject({
  alarmId: z.uuid(),
  posId: z.uuid(),
  posName: z.string(),
  isOfMachine: z.boolean(),
  createdAt: Instant,
  repairedAt: Instant,
  /** Repaired by a user, whose name may be kept from the reader; otherwise it ended automatically. */
  isByHand: z.boolean(),
  repairedBy: z.string().nullable(),
  repairNote: z.string().nullable(),
  /** The last command that the machine executed before the alarm ended, unless it only read. */
  command: z.strictObject({ type: z.int(), executedAt: Instant, by: z.string().nullable() }).nullable(),
  /** The last comment before it ended. */
  comment: AlarmComment.nullable(),
})
export type AlarmRemedy = z.infer<typeof AlarmRemedy>

export const AlarmDetails = Alarm.extend({
  /** Oldest first, the latest 100. */
  comments: z.array(AlarmComment),
  /** What helped last time; null if no such alarm has ended yet. */
  remedy: AlarmRemedy.nullable(),
  /** When its fault was there, the newest first, at most 50; the end is null while it is. */
  times: z.array(z.strictObject({ from: Instant, to: Instant.nullable() })),
})
export type AlarmDetails = z.infer<typeof AlarmDetails>

export const AlarmFilters = z.strictObject({
  search: Search.optional(),
  groupIds: oneOrMany(ids.groupId),
  clientIds: oneOrMany(ids.clientId),
  /** `ofDay`: groups and clients are where the machine was on the day when the alarm began; otherwise where it is today. */
  terms: SaleTerms.optional(),
  posIds: oneOrMany(ids.pastPosId),
  statuses: oneOrMany(AlarmStatus),
  criticities: oneOrMany(z.coerce.number().pipe(AlarmCriticity)),
  categories: oneOrMany(AlarmCategory),
  sources: oneOrMany(AlarmSource),
  deviceTypes: oneOrMany(DeviceType),
  codes: oneOrMany(LineText.max(80)),
  /** Users to whom alarms are assigned. */
  assigneeIds: oneOrMany(z.uuid()),
  /** Those that are acknowledged now, or the others. */
  isAcknowledged: Flag.optional(),
  ...optionalPeriod,
})
export type AlarmFilters = z.infer<typeof AlarmFilters>

export const alarmColumns = {
  criticity: { kind: 'status', heading: 'alarm:column.criticity', of: 'alarmCriticity' },
  code: {
    facts: {
      alarm: { kind: 'alarm', heading: 'alarm:column.alarm' },
      code: { kind: 'text', heading: 'alarm:fact.code' },
    },
  },
  posName: {
    facts: {
      machine: { kind: 'place', of: 'machine', heading: 'alarm:column.machine' },
      serial: { kind: 'text', heading: 'alarm:fact.serial' },
      group: { kind: 'text', heading: 'alarm:column.group' },
    },
  },
  merchant: { kind: 'text', heading: 'alarm:column.merchant' },
  category: { kind: 'word', heading: 'alarm:column.category', of: 'alarmCategory' },
  source: { kind: 'word', heading: 'alarm:column.source', of: 'alarmSource' },
  deviceType: { kind: 'word', heading: 'alarm:fact.model', of: 'deviceType' },
  detail: {
    heading: 'alarm:column.detail',
    facts: {
      message: { kind: 'text', heading: 'alarm:fact.message' },
      detail: { kind: 'text', heading: 'alarm:fact.detail' },
    },
  },
  group: { kind: 'text', heading: 'alarm:column.group', field: 'groupName' },
  status: { kind: 'status', heading: 'alarm:column.status', of: 'alarmStatus' },
  createdAt: { kind: 'instant', heading: 'alarm:column.since' },
  lastAt: {
    facts: {
      lastAt: { kind: 'instant', heading: 'alarm:column.last' },
      count: { kind: 'number', heading: 'alarm:fact.count' },
    },
  },
  count: { kind: 'number', heading: 'alarm:fact.count', only: 'screen' },
  repairedAt: {
    facts: {
      repairedAt: { kind: 'instant', heading: 'alarm:column.repaired' },
      repairedBy: { kind: 'text', heading: 'alarm:fact.repairedBy' },
      note: { kind: 'text', heading: 'alarm:fact.note' },
    },
  },
  repairedBy: { kind: 'person', heading: 'alarm:fact.repairedBy', only: 'screen' },
  acknowledgedUntil: { kind: 'instant', as: 'minute', heading: 'alarm:column.acknowledgedUntil' },
  assignee: { kind: 'person', heading: 'alarm:care.assignee', field: 'assigneeName' },
  mcbf: { kind: 'number', heading: 'alarm:fact.mcbf' },
  remainingCycles: { kind: 'number', heading: 'alarm:fact.remaining' },
  id: { kind: 'plain', heading: 'export:column.id', only: 'file' },
} as const satisfies ListColumns

export const alarmOrds = ordsOf(alarmColumns, 'createdAt')

const RepairNote = Text.trim().max(500).optional()

/** The selected alarms and the repair. Closed alarms in the selection do not change. */
export const RepairAlarms = z.strictObject({ alarms: selectionOf(ids.alarmId, AlarmFilters), note: RepairNote })
export type RepairAlarms = z.input<typeof RepairAlarms>

export const RepairOutcome = z.strictObject({
  repaired: z.int(),
  alreadyRepaired: z.int(),
  /** Those that this call repaired, for taking it back. */
  ids: z.array(z.uuid()),
})
export type RepairOutcome = z.infer<typeof RepairOutcome>

/** Minutes in which a repair by hand can be undone by its user. */
export const undoMinutes = 10

/** Errors of a call on one alarm. */
export const alarmFails = ['MachineNotFound', 'AlarmNotFound'] as const

export const alarms = {
  listAlarms: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/alarms',
    summary: 'List alarms',
    needs: 'alarm.read',
    topics: ['alarm'],
    query: AlarmFilters.extend(paged(alarmOrds)),
    ok: pageOf(Alarm),
    fails: ['ClientNotFound', 'PeriodReversed'],
  }),
  listMachineAlarms: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/alarms',
    summary: 'List alarms of a point of sale',
    needs: 'alarm.read',
    topics: ['alarm'],
    query: AlarmFilters.extend(paged(alarmOrds)),
    ok: pageOf(Alarm),
    fails: ['MachineNotFound', 'ClientNotFound', 'PeriodReversed'],
  }),
  getAlarm: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/alarms/{alarmId}',
    summary: 'Get an alarm of a point of sale, with its times, its comments and what helped last time',
    needs: 'alarm.read',
    topics: ['alarm'],
    ok: AlarmDetails,
    fails: alarmFails,
  }),
  repairAlarm: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos/{posId}/alarms/{alarmId}/repair',
    summary: 'Mark an alarm as repaired manually',
    needs: 'alarm.write',
    body: z.strictObject({ note: RepairNote }),
    ok: Alarm,
    fails: [...alarmFails, 'AlarmAlreadyRepaired'],
  }),
  repairAlarms: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos/alarms/repair',
    summary: 'Mark alarms as repaired manually: all of them or, if the selection is not valid, none',
    needs: 'alarm.write',
    body: RepairAlarms,
    ok: RepairOutcome,
    fails: [
      'AlarmNotFound',
      'MachineNotFound',
      'GroupNotFound',
      'ClientNotFound',
      'PeriodReversed',
      'SelectionChanged',
    ],
    timeOut: 'large',
  }),
  reopenAlarms: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos/alarms/reopen',
    summary: 'Undo your manual repairs of the last minutes',
    needs: 'alarm.write',
    body: z.strictObject({ ids: z.array(ids.alarmId).min(1).max(10_000) }),
    ok: z.strictObject({ reopened: z.int(), openAgain: z.int() }),
    fails: ['AlarmNotFound', 'UndoTooLate', 'AlarmOpenAgain'],
    timeOut: 'large',
  }),
  deleteAlarm: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/pos/{posId}/alarms/{alarmId}',
    summary: 'Delete an alarm',
    needs: 'alarm.write',
    fails: alarmFails,
  }),
}

/** The list as a file. */
export const exportedAlarms = {
  row: alarms.listAlarms,
  filters: AlarmFilters,
  ords: alarmOrds,
  columns: alarmColumns,
} as const satisfies ExportedList
