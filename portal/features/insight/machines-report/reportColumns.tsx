import { useMemo } from 'react'
import { periodPresets } from '#contract/frame/period.ts'
import {
  type MachinesReportRow,
  machinesReportColumns,
  machinesReportOrds,
  type ReportDimension,
  reportDimensions,
} from '#contract/insight/machines-report.ts'
import { withoutDataDefault } from '#contract/machines/machine.ts'
import { periodOf } from '#domain/time/period.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { typeNameOf } from '#portal/features/machines/machine/machineFacts.ts'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './MachinesReport.module.css'
import { placeOfReportRow } from './placeOfReportRow.ts'

interface ReportColumnOptions {
  by: ReportDimension
  /** The days in which created machines are counted. */
  created: [from: string, to: string]
  /** The days after which a machine counts as without data. */
  days: string
}

/** The report's columns, including the chosen grouping. */
export const columnsOf = ({ by, created, days }: ReportColumnOptions) =>
  recordColumns<MachinesReportRow>(machinesReportColumns, machinesReportOrds, ({ t, format }: Say) => {
    const figure = (row: MachinesReportRow, count: number, some: Record<string, string | string[]>, className = '') =>
      count > 0 ? (
        <PlaceLink place={placeOfReportRow(row, some)} className={className}>
          {format.number(count)}
        </PlaceLink>
      ) : (
        '0'
      )
    return {
      lines: ['deviceType'],
      without: reportDimensions.filter((one) => one !== by),
      looks: {
        merchant: {
          isForAll: false,
          card: 'title',
          label: (row) =>
            [row.merchantName, typeNameOf(row.deviceType), row.firmwareVersion].filter(Boolean).join(' · '),
        },
        firmware: { card: 'badge', cell: ({ firmwareVersion }) => firmwareVersion ?? t('machines-report:unknown') },
        warranty: { card: 'badge' },
        created: { cell: (row) => figure(row, row.created, { createdRangeDate: created }, classes.plain) },
        withoutData: { cell: (row) => figure(row, row.withoutData, { withoutDataDays: days }, classes.warn) },
      },
    }
  })

/** The same as the address asks for it. */
export function useReportColumns(by: ReportDimension) {
  const { timeZone } = useMerchant()
  const search = useAddressQuery()
  const days = oneOf(search, 'withoutDataDays') ?? String(withoutDataDefault)
  const preset = periodPresets.find((one) => one === oneOf(search, 'period')) ?? 'thisMonth'
  const { startDate, endDate } = periodOf(preset, new Date(), timeZone)
  const from = oneOf(search, 'startDate') ?? startDate
  const to = oneOf(search, 'endDate') ?? endDate
  return useMemo(() => columnsOf({ by, created: [from, to], days }), [by, from, to, days])
}
