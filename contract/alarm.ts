import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Instant, oneOrMany, optionalPeriod, paged, pageOf, Search, Text } from './shapes.ts'
import { AlarmCategory, AlarmCriticity, AlarmSource, AlarmStatus } from './vocabulary/alarm.ts'

/** An alarm of a machine. Repeated events join one alarm: `count` of them, the last at `lastAt`. */
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
  remainingCycles: z.int().nullable(),
  mcbf: z.int().nullable(),
})
export type Alarm = z.infer<typeof Alarm>

export const AlarmFilters = z.strictObject({
  search: Search.optional(),
  groupIds: oneOrMany(z.uuid()),
  statuses: oneOrMany(AlarmStatus),
  criticities: oneOrMany(z.coerce.number().pipe(AlarmCriticity)),
  categories: oneOrMany(AlarmCategory),
  sources: oneOrMany(AlarmSource),
  ...optionalPeriod,
})
export type AlarmFilters = z.infer<typeof AlarmFilters>

export const alarmOrds = ['createdAt', 'lastAt', 'criticity', 'posName', 'code', 'status', 'repairedAt'] as const

const fails = ['MachineNotFound', 'AlarmNotFound'] as const

export const alarms = {
  listAlarms: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/alarms',
    summary: 'Alarms, page by page',
    needs: 'alarm.read',
    query: AlarmFilters.extend(paged(alarmOrds)),
    ok: pageOf(Alarm),
    fails: ['PeriodReversed'],
  }),
  listMachineAlarms: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/alarms',
    summary: 'Alarms of a point of sale, page by page',
    needs: 'alarm.read',
    query: AlarmFilters.extend(paged(alarmOrds)),
    ok: pageOf(Alarm),
    fails: ['MachineNotFound', 'PeriodReversed'],
  }),
  getAlarm: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/alarms/{alarmId}',
    summary: 'One alarm of a point of sale',
    needs: 'alarm.read',
    ok: Alarm,
    fails,
  }),
  repairAlarm: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos/{posId}/alarms/{alarmId}/repair',
    summary: 'Marks an alarm as repaired by hand',
    needs: 'alarm.write',
    body: z.strictObject({ note: Text.trim().max(500).optional() }),
    ok: Alarm,
    fails: [...fails, 'AlarmAlreadyRepaired'],
  }),
  deleteAlarm: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/pos/{posId}/alarms/{alarmId}',
    summary: 'Deletes an alarm',
    needs: 'alarm.write',
    fails,
  }),
}
