import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type PricePlan, pricePlanColumns, pricePlanOrds, pricePlans } from '#contract/catalogue/price-plan.ts'
import { pricePlanStatuses } from '#contract/vocabulary/catalogue/price.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { pricePlanLooks } from '../price/priceLooks.ts'
import { placeOfChange } from '../price-change/places.ts'

const order = { ord: 'startsOn', ordType: 'DESC' } as const
const placeOf = ({ id }: PricePlan) => ({ to: '/devices/price-plans/$pricePlanId', params: { pricePlanId: id } })

const columns = ({ t, format }: Say): Column<PricePlan>[] =>
  recordColumns<PricePlan>(pricePlanColumns, pricePlanOrds, {
    hidden: ['cancelledAt', 'cancelledBy'],
    lines: ['createdBy'],
    looks: {
      name: { cell: ({ name }) => name ?? t('price-plan:unnamed') },
      startsOn: { card: 'aside', cell: ({ startsOn }) => format.day(startsOn, 'weekday') },
      status: { card: 'badge', cell: ({ status }) => <StatusBadge of={pricePlanLooks} value={status} /> },
    },
  })({ t, format })

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
