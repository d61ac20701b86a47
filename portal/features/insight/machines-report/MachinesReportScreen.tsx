import { useTranslation } from 'react-i18next'
import { type MachinesReportRow, machinesReports, reportDimensions } from '#contract/insight/machines-report.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { oneOf } from '#portal/app/search.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { placeOfReportRow } from './placeOfReportRow.ts'
import { useReportColumns } from './reportColumns.tsx'
import { useReportFilters } from './useReportFilters.ts'

const order = { ord: 'machines', ordType: 'DESC' } as const
const keyOf = (row: MachinesReportRow) =>
  [row.merchantId, row.deviceType, row.firmwareVersion, row.connection, row.warranty].join(' ')

/** Machines counted across merchants; each figure leads to the machines behind it. */
export default function MachinesReportScreen() {
  const { t } = useTranslation('machines-report')
  const addressDimension = oneOf(useAddressQuery(), 'by')
  const by = reportDimensions.find((dimension) => dimension === addressDimension) ?? 'firmware'
  const columns = useReportColumns(by)
  const filters = useReportFilters()
  return (
    <ListScreen
      id="machinesReport"
      title={t('title')}
      row={machinesReports.listMachinesReport}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOfReportRow}
      exports="machinesReport"
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  )
}
