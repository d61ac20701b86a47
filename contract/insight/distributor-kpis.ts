import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Day, MinorUnits, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { DeviceType } from '../vocabulary/device.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { isKpiInterval, kpiInterval } from './kpi.ts'

/*
 * KPIs of all machines in sight, from the sums of ended days: today is not among them. Device type, firmware and validators of a day are those
 * that the machine had when the day was summed up.
 */

/** A validator of a machine. The denomination of a piece says whether the coin or the bill validator handled it. */
export const validatorKinds = ['coin', 'bill'] as const
export const ValidatorKind = z.enum(validatorKinds)
export type ValidatorKind = z.infer<typeof ValidatorKind>

/** Green below 15 % of rejections, yellow from 15 to 20 %, red above; none without pieces. */
export const rejectionBands = ['none', 'good', 'middling', 'bad'] as const

const Taken = z.strictObject({ accepted: z.int(), rejected: z.int() })
/** Seconds of machines: how long they were attached, blocked, and, apart from it, absent. */
const Down = z.strictObject({ seconds: z.int(), blockedSeconds: z.int(), absentSeconds: z.int() })
const Began = z.strictObject({ cycles: z.int(), faults: z.int(), blockingAlarms: z.int() })
export type Taken = z.infer<typeof Taken>
export type Down = z.infer<typeof Down>
export type Began = z.infer<typeof Began>

/** Figures of the interval, and of as many days before it. */
const compared = <T extends z.ZodRawShape>(figures: z.ZodObject<T>) => ({ ...figures.shape, before: figures })

/** A value of a dimension; null is unknown. */
const byType = { deviceType: z.string() }
const byFirmware = { firmwareVersion: z.string().nullable() }

/** The days that the figures cover; none if `endDate` is before `startDate`. */
const covered = { startDate: Day, endDate: Day }

export const CashAcceptance = z.strictObject({
  ...covered,
  ...compared(Taken),
  /** Every day of the interval, the oldest first. */
  series: z.array(Taken.extend({ day: Day })),
  byDenomination: z.array(
    z.strictObject({ currency: Currency, denomination: MinorUnits, validator: ValidatorKind, ...compared(Taken) }),
  ),
  byValidator: z.array(
    z.strictObject({ validator: ValidatorKind, version: z.string().nullable(), ...compared(Taken) }),
  ),
  byDeviceType: z.array(z.strictObject({ ...byType, ...compared(Taken) })),
  byFirmware: z.array(z.strictObject({ ...byFirmware, ...compared(Taken) })),
})
export type CashAcceptance = z.infer<typeof CashAcceptance>

export const FleetDowntime = z.strictObject({
  ...covered,
  ...compared(Down),
  series: z.array(Down.extend({ day: Day })),
  byDeviceType: z.array(z.strictObject({ ...byType, ...compared(Down) })),
  byFirmware: z.array(z.strictObject({ ...byFirmware, ...compared(Down) })),
})
export type FleetDowntime = z.infer<typeof FleetDowntime>

export const FleetMcbf = z.strictObject({
  ...covered,
  ...compared(Began),
  series: z.array(Began.extend({ day: Day })),
  byDeviceType: z.array(z.strictObject({ ...byType, ...compared(Began) })),
  byFirmware: z.array(z.strictObject({ ...byFirmware, ...compared(Began) })),
})
export type FleetMcbf = z.infer<typeof FleetMcbf>

/** A merchant's KPIs, of the machines that the caller may see. */
export const MerchantKpis = z.strictObject({
  merchantId: z.uuid(),
  merchantName: z.string(),
  ...Taken.shape,
  ...Down.shape,
  ...Began.shape,
  before: z.strictObject({ ...Taken.shape, ...Down.shape, ...Began.shape }),
})
export type MerchantKpis = z.infer<typeof MerchantKpis>

/** A machine's KPIs in the interval. With a filter by validator or denomination, pieces are those of the filter. */
export const PosKpis = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  deviceType: z.string(),
  firmwareVersion: z.string().nullable(),
  ...Taken.shape,
  ...Down.shape,
  ...Began.shape,
})
export type PosKpis = z.infer<typeof PosKpis>

/** In filters: of machines that have not reported a version. */
export const noVersion = '-'

/** A version of a validator, such as `bill:4.27`. */
const Validator = Text.max(110).regex(/^(coin|bill):/)
/** A denomination, such as `EUR:500`, in minor units. */
const Denomination = z.string().regex(/^[A-Z]{3}:\d{1,12}$/)

const filters = {
  groupIds: oneOrMany(ids.groupId),
  deviceTypes: oneOrMany(DeviceType),
  firmwareVersions: oneOrMany(Text.max(100)),
}
export const FleetKpiQuery = z.strictObject({ ...kpiInterval, ...filters }).check(isKpiInterval)
export type FleetKpiQuery = z.infer<typeof FleetKpiQuery>

const posFilters = {
  ...kpiInterval,
  ...filters,
  search: Search.optional(),
  validators: oneOrMany(Validator),
  denominations: oneOrMany(Denomination),
  bands: oneOrMany(z.enum(rejectionBands)),
}
export const PosKpiFilters = z.strictObject(posFilters).check(isKpiInterval)
export type PosKpiFilters = z.infer<typeof PosKpiFilters>

const merchantFilters = { ...kpiInterval, ...filters }

const rejectionColumn = {
  rejectionRate: { kind: 'percent', heading: 'distributor-kpis:column.rejectionRate' },
} as const satisfies ListColumns
const figureColumns = {
  rejected: { kind: 'number', heading: 'distributor-kpis:column.rejected' },
  accepted: { kind: 'number', heading: 'distributor-kpis:column.accepted' },
  blocked: {
    facts: {
      blockedShare: { kind: 'percent', heading: 'distributor-kpis:column.blocked' },
      blockedHours: { kind: 'decimal', heading: 'distributor-kpis:column.blockedHours' },
    },
  },
  absent: {
    facts: {
      absentShare: { kind: 'percent', heading: 'distributor-kpis:column.absent' },
      absentHours: { kind: 'decimal', heading: 'distributor-kpis:column.absentHours' },
    },
  },
  mcbf: {
    facts: {
      mcbf: { kind: 'number', heading: 'distributor-kpis:column.mcbf' },
      cycles: { kind: 'number', heading: 'distributor-kpis:column.cycles' },
      faults: { kind: 'number', heading: 'distributor-kpis:column.faults' },
    },
  },
  blockingAlarms: { kind: 'number', heading: 'distributor-kpis:column.blockingAlarms' },
} as const satisfies ListColumns

export const posKpiColumns = {
  posName: { facts: { machine: { kind: 'text', heading: 'distributor-kpis:column.machine' } } },
  merchant: { kind: 'text', heading: 'distributor-kpis:column.merchant' },
  serial: { kind: 'text', heading: 'distributor-kpis:column.serial', field: 'posSerial' },
  deviceType: { kind: 'word', heading: 'distributor-kpis:column.deviceType', of: 'deviceType' },
  firmware: { kind: 'text', heading: 'distributor-kpis:column.firmware', field: 'firmwareVersion' },
  ...rejectionColumn,
  ...figureColumns,
} as const satisfies ListColumns

export const merchantKpiColumns = {
  merchant: { kind: 'text', heading: 'distributor-kpis:column.merchant' },
  ...rejectionColumn,
  trend: { kind: 'own', heading: 'distributor-kpis:trend' },
  ...figureColumns,
} as const satisfies ListColumns

/** Rates put the highest first when descending. */
export const posKpiOrds = ordsOf(posKpiColumns, 'rejectionRate')

export const merchantKpiOrds = ordsOf(merchantKpiColumns, 'rejectionRate')

const common = { method: 'GET', needs: 'machine.read' } as const

export const distributorKpis = {
  getCashAcceptance: endpoint({
    ...common,
    path: '/distributors/{merchantId}/cash-acceptance',
    summary: 'Get rejection rates by validator, denomination, model and firmware over ended days',
    query: FleetKpiQuery,
    ok: CashAcceptance,
  }),
  getFleetDowntime: endpoint({
    ...common,
    path: '/distributors/{merchantId}/downtime',
    summary: 'Get blocked and offline time of machines by model and firmware over ended days',
    query: FleetKpiQuery,
    ok: FleetDowntime,
  }),
  getFleetMcbf: endpoint({
    ...common,
    path: '/distributors/{merchantId}/mcbf',
    summary: 'Get mean cycles between failures by model and firmware over ended days',
    query: FleetKpiQuery,
    ok: FleetMcbf,
  }),
  listPosKpis: endpoint({
    ...common,
    path: '/distributors/{merchantId}/pos',
    summary: 'List KPIs of machines, the highest rejection rate first',
    query: z.strictObject({ ...posFilters, ...paged(posKpiOrds) }).check(isKpiInterval),
    ok: pageOf(PosKpis).extend(withTotals),
  }),
  listMerchantKpis: endpoint({
    ...common,
    path: '/distributors/{merchantId}/merchants',
    summary: 'List KPIs of merchants, the highest rejection rate first',
    query: z.strictObject({ ...merchantFilters, ...paged(merchantKpiOrds) }).check(isKpiInterval),
    ok: pageOf(MerchantKpis).extend(withTotals),
  }),
}

/** The list as a file. */
export const exportedPosKpis = {
  row: distributorKpis.listPosKpis,
  filters: PosKpiFilters,
  ords: posKpiOrds,
  columns: posKpiColumns,
} as const satisfies ExportedList
