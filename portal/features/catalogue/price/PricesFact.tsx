import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { prices } from '#contract/catalogue/price.ts'
import { queryOf } from '#portal/app/api.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { useParts } from '#portal/ui/value/useParts.ts'

/** The number of selections with a price, and of those whose lists differ; with a link to the prices. */
export function PricesFact({ machine: { id: posId, merchantId } }: { machine: { id: string; merchantId: string } }) {
  const { t } = useTranslation('price')
  const partsOf = useParts('price')
  const { data } = useQuery(queryOf(prices.listPrices, { params: { merchantId, posId }, query: { size: 1 } }))
  if (!data) return null
  return (
    <PlaceLink place={{ to: '/devices/$posId/prices', params: { posId } }}>
      {data.total > 0 ? partsOf({ prices: data.total, differing: data.differing }) : t('empty.title')}
    </PlaceLink>
  )
}
