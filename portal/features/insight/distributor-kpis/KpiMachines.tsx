import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CashAcceptance,
  distributorKpis,
  noVersion,
  type PosKpis,
  rejectionBands,
} from '#contract/insight/distributor-kpis.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { anyKnown, anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { useFigureColumns } from './useFigureColumns.tsx'
import { useFleetFilters } from './useFleet.ts'
import { useKpiWords } from './useKpiWords.ts'

const order = { ord: 'rejectionRate', ordType: 'DESC' } as const
/** A filter by values that are no ids. */
const freely = (filters: readonly Filter[]) => filters.map((filter) => ({ ...filter, isFree: true }))
const keyOf = ({ posId }: PosKpis) => posId

/** Machines by their KPIs, the worst first; each leads to its own KPIs of the same days. */
export function KpiMachines({ cash }: { cash: CashAcceptance }) {
  const { t } = useTranslation(['distributor-kpis', 'kpi'])
  const format = useFormat()
  const words = useKpiWords()
  const shared = useFleetFilters()
  const figures = useFigureColumns<PosKpis>()
  const { startDate, endDate, byFirmware, byValidator, byDenomination } = cash
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      ...shared,
      ...freely([
        ...anyKnown(
          'firmwareVersions',
          t('column.firmware'),
          byFirmware.map(({ firmwareVersion }) => ({
            value: firmwareVersion ?? noVersion,
            label: firmwareVersion ?? t('unknown'),
          })),
        ),
        ...anyKnown(
          'validators',
          t('breakdown.validator'),
          byValidator.map(({ validator, version }) => ({
            value: `${validator}:${version ?? noVersion}`,
            label: words.validator(validator, version),
          })),
        ),
        ...anyKnown(
          'denominations',
          t('breakdown.denomination'),
          byDenomination.map(({ currency, denomination }) => ({
            value: `${currency}:${denomination}`,
            label: format.money(denomination, currency),
          })),
        ),
      ]),
      anyOf('bands', t('filter.band'), rejectionBands, (band) => t(`kpi:band.${band}`)),
    ],
    [t, shared, byFirmware, byValidator, byDenomination, words, format],
  )
  const columns = useMemo(
    (): Column<PosKpis>[] => [
      {
        id: 'posName',
        name: t('column.machine'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: ({ posName }) => posName,
        cell: ({ posName }) => posName,
      },
      { id: 'merchant', name: t('column.merchant'), isForAll: true, card: 'line', cell: (one) => one.merchantName },
      { id: 'serial', name: t('column.serial'), isHidden: true, card: 'none', cell: ({ posSerial }) => posSerial },
      {
        id: 'deviceType',
        name: t('column.deviceType'),
        card: 'line',
        cell: ({ deviceType }) => deviceTypeNames[deviceType as keyof typeof deviceTypeNames] ?? deviceType,
      },
      {
        id: 'firmware',
        name: t('column.firmware'),
        isHidden: true,
        card: 'none',
        cell: ({ firmwareVersion }) => firmwareVersion ?? t('unknown'),
      },
      ...figures,
    ],
    [t, figures],
  )
  return (
    <ListScreen
      id="posKpis"
      title={t('machines')}
      isEmbedded
      exports="posKpis"
      row={distributorKpis.listPosKpis}
      fixed={{ startDate, endDate }}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={({ posId }) => ({ to: '/devices/$posId/kpis', params: { posId }, search: { startDate, endDate } })}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  )
}
