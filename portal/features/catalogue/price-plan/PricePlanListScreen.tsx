import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type PricePlan, pricePlanColumns, pricePlanOrds, pricePlans } from '#contract/catalogue/price-plan.ts'
import { pricePlanStatuses } from '#contract/vocabulary/catalogue/price.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { pricePlanLooks } from '../price/priceLooks.ts'
import { placeOfChange } from '../price-change/places.ts'

const order = { ord: 'startsOn', ordType: 'DESC' } as const
const placeOf = ({ id }: PricePlan) => ({ to: '/devices/price-plans/$pricePlanId', params: { pricePlanId: id } })

const columns = recordColumns<PricePlan>(pricePlanColumns, pricePlanOrds, ({ t, format }: Say) => ({
  hidden: ['cancelledAt', 'cancelledBy'],
  lines: ['createdBy'],
  aside: 'startsOn',
  statuses: { pricePlanStatus: pricePlanLooks },
  looks: {
    name: { cell: ({ name }) => name ?? t('price-plan:unnamed') },
    startsOn: { cell: ({ startsOn }) => format.day(startsOn, 'weekday') },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('price-plan:filter.search') },
  anyOf('statuses', t('price-plan:column.status'), pricePlanStatuses, (one) => t(`vocabulary:pricePlanStatus.${one}`)),
  { key: 'period', kind: 'period', name: t('price-plan:column.startsOn'), isAhead: true },
]
const change = placeOfChange({})

/** Plans of prices: who planned what for which day, and for how many machines. */
export default function PricePlanListScreen() {
  const { t } = useTranslation('price-plan')
  return (
    <ListScreen
      id="pricePlans"
      exports="pricePlans"
      words="price-plan"
      row={pricePlans.listPricePlans}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={useMemo(() => ({ name: t('create'), needs: 'price.write' as const, does: change }), [t])}
    />
  )
}
