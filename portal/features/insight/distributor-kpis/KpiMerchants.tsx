import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type CashAcceptance, distributorKpis, type MerchantKpis } from '#contract/insight/distributor-kpis.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import { placeInMerchant } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { Trend } from './Trend.tsx'
import { useFigureColumns } from './useFigureColumns.tsx'
import { useFleetFilters } from './useFleet.ts'

const order = { ord: 'rejectionRate', ordType: 'DESC' } as const
const keyOf = ({ merchantId }: MerchantKpis) => merchantId
const rateOf = (taken: { accepted: number; rejected: number }) => {
  const rate = rejectionRate(taken)
  return rate === null ? null : rate / 100
}

/** Merchants side by side, the worst first; each leads to its own KPIs. */
export function KpiMerchants({ cash: { startDate, endDate } }: { cash: CashAcceptance }) {
  const { t } = useTranslation('distributor-kpis')
  const filters = useFleetFilters()
  const figures = useFigureColumns<MerchantKpis>()
  const columns = useMemo(
    (): Column<MerchantKpis>[] => [
      {
        id: 'merchant',
        name: t('column.merchant'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: ({ merchantName }) => merchantName,
        cell: ({ merchantName }) => merchantName,
      },
      ...figures.slice(0, 1),
      {
        id: 'trend',
        name: t('trend'),
        align: 'end',
        cell: (one) => <Trend kind="share" now={rateOf(one)} before={rateOf(one.before)} />,
      },
      ...figures.slice(1),
    ],
    [t, figures],
  )
  return (
    <ListScreen
      id="merchantKpis"
      title={t('merchants')}
      isEmbedded
      row={distributorKpis.listMerchantKpis}
      fixed={{ startDate, endDate }}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={({ merchantId }) =>
        placeInMerchant(merchantId, { to: '/distributor-kpis', search: { startDate, endDate } })
      }
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  )
}
