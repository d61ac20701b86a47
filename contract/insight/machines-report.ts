import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Instant, oneOrMany, optionalPeriod, paged, pageOf, Search } from '../frame/shapes.ts'
import { WarrantyState, WithoutDataDays } from '../machines/machine.ts'
import { Connection, DeviceType } from '../vocabulary/device.ts'

/** Dimensions of the report on machines of one merchant and model. */
export const reportDimensions = ['firmware', 'connection', 'warranty'] as const
export type ReportDimension = (typeof reportDimensions)[number]

/** Machines of one merchant and model with the same value in the chosen dimension; the other two dimensions are null. */
export const MachinesReportRow = z.strictObject({
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  deviceType: z.string(),
  /** Null also for machines that have not reported it. */
  firmwareVersion: z.string().nullable(),
  connection: Connection.nullable(),
  warranty: WarrantyState.nullable(),
  machines: z.int(),
  /** Machines created in the period, by their merchant's calendar; all without a period. */
  created: z.int(),
  /** Machines without data for this many days, or never seen. */
  withoutData: z.int(),
  /** The last word of any of them. */
  lastSeenAt: Instant.nullable(),
})
export type MachinesReportRow = z.infer<typeof MachinesReportRow>

export const MachinesReportFilters = z.strictObject({
  by: z.enum(reportDimensions).optional(),
  ...optionalPeriod,
  withoutDataDays: WithoutDataDays.optional(),
  /** A part of the merchant's name. */
  search: Search.optional(),
  deviceTypes: oneOrMany(DeviceType),
  connections: oneOrMany(z.coerce.number().pipe(Connection)),
  warranties: oneOrMany(WarrantyState),
})
export type MachinesReportFilters = z.infer<typeof MachinesReportFilters>

export const machinesReportColumns = {
  merchant: { kind: 'text', heading: 'machines-report:column.merchant' },
  deviceType: { kind: 'word', heading: 'machines-report:column.deviceType', of: 'deviceType' },
  firmware: { kind: 'text', heading: 'machines-report:by.firmware', field: 'firmwareVersion', ord: 'dimension' },
  connection: { kind: 'status', heading: 'machines-report:by.connection', of: 'connection', ord: 'dimension' },
  warranty: { kind: 'word', heading: 'machines-report:by.warranty', of: 'warrantyState', ord: 'dimension' },
  machines: { kind: 'number', heading: 'machines-report:column.machines' },
  created: { kind: 'number', heading: 'machines-report:column.created' },
  withoutData: { kind: 'number', heading: 'machines-report:column.withoutData' },
  lastSeenAt: { kind: 'instant', heading: 'machines-report:column.lastSeen' },
} as const satisfies ListColumns

export const machinesReportOrds = ordsOf(machinesReportColumns, 'merchant')

export const machinesReports = {
  listMachinesReport: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/machines-report',
    summary: 'Count machines by merchant and model, and by firmware (default), connection or warranty',
    needs: 'stats.read',
    query: MachinesReportFilters.extend(paged(machinesReportOrds)),
    ok: pageOf(MachinesReportRow).extend(withTotals),
    fails: ['PeriodReversed'],
  }),
}

/** The list as a file. */
export const exportedMachinesReport = {
  row: machinesReports.listMachinesReport,
  filters: MachinesReportFilters,
  ords: machinesReportOrds,
  columns: machinesReportColumns,
} as const satisfies ExportedList
