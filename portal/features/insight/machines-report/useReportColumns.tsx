import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { periodPresets } from '#contract/frame/period.ts'
import type { MachinesReportRow, ReportDimension } from '#contract/insight/machines-report.ts'
import { withoutDataDefault } from '#contract/machines/machine.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { periodOf } from '#domain/time/period.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { connectionLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { behind } from './behind.ts'
import classes from './MachinesReport.module.css'

const modelOf = ({ deviceType }: MachinesReportRow) =>
  deviceTypeNames[deviceType as keyof typeof deviceTypeNames] ?? deviceType

/** The report's columns, including the chosen grouping. */
export function useReportColumns(by: ReportDimension): Column<MachinesReportRow>[] {
  const { t } = useTranslation(['machines-report', 'vocabulary'])
  const format = useFormat()
  const { timeZone } = useMerchant()
  const search = useAddressQuery()
  const days = oneOf(search, 'withoutDataDays') ?? String(withoutDataDefault)
  const preset = periodPresets.find((one) => one === oneOf(search, 'period')) ?? 'thisMonth'
  const { startDate, endDate } = periodOf(preset, new Date(), timeZone)
  const from = oneOf(search, 'startDate') ?? startDate
  const to = oneOf(search, 'endDate') ?? endDate
  return useMemo((): Column<MachinesReportRow>[] => {
    const valueOf = ({ firmwareVersion, connection, warranty }: MachinesReportRow): ReactNode => {
      if (connection !== null) return <StatusBadge of={connectionLooks} value={connection} />
      if (warranty !== null) return t(`vocabulary:warrantyState.${warranty}`)
      return firmwareVersion ?? t('unknown')
    }
    const figure = (row: MachinesReportRow, count: number, some: Record<string, string | string[]>, className = '') =>
      count > 0 ? (
        <PlaceLink place={behind(row, some)} className={className}>
          {format.number(count)}
        </PlaceLink>
      ) : (
        '0'
      )
    const labelOf = (row: MachinesReportRow) =>
      [row.merchantName, modelOf(row), row.firmwareVersion].filter(Boolean).join(' · ')
    return [
      {
        id: 'merchant',
        name: t('column.merchant'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: labelOf,
        cell: ({ merchantName }) => merchantName,
      },
      { id: 'deviceType', name: t('column.deviceType'), sort: true, card: 'line', cell: modelOf },
      { id: by, name: t(`by.${by}`), sort: 'dimension', card: 'badge', cell: valueOf },
      {
        id: 'machines',
        name: t('column.machines'),
        sort: true,
        align: 'end',
        number: ({ machines }) => machines,
        cell: ({ machines }) => format.number(machines),
      },
      {
        id: 'created',
        name: t('column.created'),
        sort: true,
        align: 'end',
        number: ({ created }) => created,
        cell: (row) => figure(row, row.created, { createdRangeDate: [from, to] }, classes.plain),
      },
      {
        id: 'withoutData',
        name: t('column.withoutData'),
        sort: true,
        align: 'end',
        number: ({ withoutData }) => withoutData,
        cell: (row) => figure(row, row.withoutData, { withoutDataDays: days }, classes.warn),
      },
      {
        id: 'lastSeenAt',
        name: t('column.lastSeen'),
        sort: true,
        align: 'end',
        cell: ({ lastSeenAt, timeZone }) => <When at={lastSeenAt} timeZone={timeZone} />,
      },
    ]
  }, [t, format, by, days, from, to])
}
