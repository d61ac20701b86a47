import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { stock } from '#contract/stock/stock.ts'
import { queryOf } from '#portal/app/api.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { useParts } from '#portal/ui/value/useParts.ts'

type MachineProps = { machine: { id: string; merchantId: string } }
const callOf = ({ id: posId, merchantId }: MachineProps['machine']) => ({
  params: { merchantId, posId },
  query: { size: 1 },
})
const placeOf = ({ id: posId }: MachineProps['machine']) => ({ to: '/devices/$posId/stock', params: { posId } })

/** A machine's stock in short, with a link to all of it. */
export function StockFact({ machine }: MachineProps) {
  const { t } = useTranslation('stock')
  const partsOf = useParts('stock')
  const { data } = useQuery(queryOf(stock.listStock, callOf(machine)))
  if (!data) return null
  return <PlaceLink place={placeOf(machine)}>{data.total > 0 ? partsOf(data.summary) : t('empty.title')}</PlaceLink>
}
