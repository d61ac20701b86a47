import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CashAcceptance,
  distributorKpis,
  noVersion,
  type PosKpis,
  posKpiColumns,
  posKpiOrds,
  rejectionBands,
} from '#contract/insight/distributor-kpis.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { anyKnown, anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { figureLooks } from './figureLooks.tsx'
import { useFleetFilters } from './useFleet.ts'
import { useKpiWords } from './useKpiWords.ts'

const order = { ord: 'rejectionRate', ordType: 'DESC' } as const
/** A filter by values that are no ids. */
const freeFilters = (filters: readonly Filter[]) => filters.map((filter) => ({ ...filter, isFree: true }))
const keyOf = ({ posId }: PosKpis) => posId

const columnsOf = (words: ReturnType<typeof useKpiWords>) =>
  recordColumns<PosKpis>(posKpiColumns, posKpiOrds, ({ t }: Say) => ({
    lines: ['deviceType'],
    hidden: ['serial', 'firmware'],
    looks: {
      ...figureLooks<PosKpis>(words),
      firmware: { cell: ({ firmwareVersion }) => firmwareVersion ?? t('distributor-kpis:unknown') },
    },
  }))

/** Machines by their KPIs, the worst first; each leads to its own KPIs of the same days. */
export function KpiMachines({ cash }: { cash: CashAcceptance }) {
  const { t } = useTranslation(['distributor-kpis', 'kpi'])
  const format = useFormat()
  const words = useKpiWords()
  const shared = useFleetFilters()
  const { startDate, endDate, byFirmware, byValidator, byDenomination } = cash
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      ...shared,
      ...freeFilters([
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
  const columns = useMemo(() => columnsOf(words), [words])
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
