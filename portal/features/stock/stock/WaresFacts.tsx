import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { stock } from '#contract/stock/stock.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

type Located = { machine: { id: string; merchantId: string } }
const callOf = ({ id: posId, merchantId }: Located['machine']) => ({
  params: { merchantId, posId },
  query: { size: 1 },
})
const placeOf = (tab: 'stock' | 'prices', { id: posId }: Located['machine']) => ({
  to: `/devices/$posId/${tab}`,
  params: { posId },
})

/** How many of something, as a part of a sentence. */
function useParts() {
  const { t } = useTranslation('stock')
  const format = useFormat()
  return (counts: Record<string, number>) =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([key, count]) => t(`fact.${key}`, { count, number: format.number(count) }))
      .join(', ')
}

/** A machine's stock in short, with a link to all of it. */
export function StockFact({ machine }: Located) {
  const { t } = useTranslation('stock')
  const partsOf = useParts()
  const { data } = useQuery(queryOf(stock.listStock, callOf(machine)))
  if (!data) return null
  return (
    <PlaceLink place={placeOf('stock', machine)}>{data.total > 0 ? partsOf(data.summary) : t('empty.title')}</PlaceLink>
  )
}

/** How many selections have a reported price, and how many of them differ between lists. */
export function PricesFact({ machine }: Located) {
  const { t } = useTranslation('stock')
  const partsOf = useParts()
  const { data } = useQuery(queryOf(stock.listPrices, callOf(machine)))
  if (!data) return null
  return (
    <PlaceLink place={placeOf('prices', machine)}>
      {data.total > 0 ? partsOf({ prices: data.total, differing: data.differing }) : t('emptyPrices.title')}
    </PlaceLink>
  )
}
