import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CashAcceptance,
  distributorKpis,
  type MerchantKpis,
  merchantKpiColumns,
  merchantKpiOrds,
} from '#contract/insight/distributor-kpis.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import { placeInMerchant } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { figureLooks } from './figureLooks.tsx'
import { Trend } from './Trend.tsx'
import { useFleetFilters } from './useFleet.ts'
import { useKpiWords } from './useKpiWords.ts'

const order = { ord: 'rejectionRate', ordType: 'DESC' } as const
const keyOf = ({ merchantId }: MerchantKpis) => merchantId
const rateOf = (counts: { accepted: number; rejected: number }) => {
  const rate = rejectionRate(counts)
  return rate === null ? null : rate / 100
}

const columnsOf = (words: ReturnType<typeof useKpiWords>) =>
  recordColumns<MerchantKpis>(merchantKpiColumns, merchantKpiOrds, {
    looks: {
      ...figureLooks<MerchantKpis>(words),
      merchant: { isForAll: false, card: 'title', label: ({ merchantName }) => merchantName },
      trend: { align: 'end', cell: (one) => <Trend kind="share" now={rateOf(one)} before={rateOf(one.before)} /> },
    },
  })

/** Merchants side by side, the worst first; each leads to its own KPIs. */
export function KpiMerchants({ cash: { startDate, endDate } }: { cash: CashAcceptance }) {
  const { t } = useTranslation('distributor-kpis')
  const filters = useFleetFilters()
  const words = useKpiWords()
  const columns = useMemo(() => columnsOf(words), [words])
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
