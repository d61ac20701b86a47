import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { stockPlaceKinds } from '#contract/vocabulary/stock.ts'
import { type StockPlace, stockPlaceColumns, stockPlaceOrds, stockPlaces } from '#contract/warehouse/stock-place.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: StockPlace) => ({ to: '/stock-places/$stockPlaceId', params: { stockPlaceId: id } })

const columns = recordColumns<StockPlace>(stockPlaceColumns, stockPlaceOrds, ({ format }: Say) => ({
  lines: ['kind', 'address'],
  aside: 'value',
  hidden: ['createdAt'],
  looks: {
    expired: {
      cell: ({ expired }) =>
        expired > 0 && (
          <Badge tone="warn" mark="triangle">
            {format.number(expired)}
          </Badge>
        ),
    },
  },
}))

/** The merchant's warehouses and vans, with what they hold. */
export default function StockPlaceListScreen() {
  const { t } = useTranslation(['stock-place', 'vocabulary'])
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('stock-place:filter.search') },
      anyOf('kinds', t('stock-place:filter.kind'), stockPlaceKinds, (kind) => t(`vocabulary:stockPlaceKind.${kind}`)),
    ],
    [t],
  )
  return (
    <ListScreen
      id="stockPlaces"
      words="stock-place"
      row={stockPlaces.listStockPlaces}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('stock-place:create'), needs: 'stockPlace.write', does: { to: '/stock-places/create' } }}
      exports="stockPlaces"
    />
  )
}
