import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { products } from '#contract/catalogue/product.ts'
import { pieceLossKinds } from '#contract/vocabulary/stock.ts'
import { type PieceLossRow, pieceLossColumns, pieceLosses, pieceLossOrds } from '#contract/warehouse/piece-loss.ts'
import { stockPlaces } from '#contract/warehouse/stock-place.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { useRecordFilter } from '#portal/ui/list/filters/useRecordFilter.ts'
import { useTechnicianFilter } from '#portal/ui/list/filters/useTechnicianFilter.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'

const order = { ord: 'at', ordType: 'DESC' } as const
const keyOf = ({ operationId, productId, lotId, kind }: PieceLossRow) => [operationId, productId, lotId, kind].join(' ')
const ofPlaces = { list: stockPlaces.listStockPlaces, get: stockPlaces.getStockPlace, param: 'stockPlaceId' }
const ofProducts = { list: products.listProducts, get: products.getProduct, param: 'productId' }

const columns = recordColumns<PieceLossRow>(pieceLossColumns, pieceLossOrds, ({ t, format }: Say) => ({
  hidden: ['lotCode', 'note', 'by'],
  lines: ['kind', 'place'],
  aside: 'pieces',
  looks: {
    product: { cell: ({ product }) => product ?? '–' },
    place: { cell: ({ place }) => place ?? t('losses:deletedPlace') },
    driver: { cell: ({ driver }) => driver ?? '–' },
    pieces: {
      cell: ({ kind, pieces }) => (kind === 'found' ? `−${format.number(pieces)}` : format.number(pieces)),
    },
  },
}))

/** What warehouses and vans lost: counted differences, expired pieces and waste. */
export default function PieceLossListScreen() {
  const { t } = useTranslation(['losses', 'vocabulary'])
  const place = useRecordFilter(ofPlaces, { key: 'stockPlaceIds', kind: 'multi', name: t('losses:column.place') })
  const product = useRecordFilter(
    ofProducts,
    { key: 'productIds', kind: 'multi', name: t('losses:column.product') },
    useMay(products.listProducts),
  )
  const drivers = useTechnicianFilter('driverIds', t('losses:column.driver'), t('losses:one'))
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('losses:filter.search') },
      { key: 'period', kind: 'period', name: t('losses:filter.period') },
      anyOf('kinds', t('losses:column.kind'), pieceLossKinds, (kind) => t(`vocabulary:pieceLossKind.${kind}`)),
      place,
      ...(product.find ? [product] : []),
      ...drivers,
    ],
    [t, place, product, drivers],
  )
  return (
    <ListScreen
      id="pieceLosses"
      words="losses"
      row={pieceLosses.listPieceLosses}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      exports="pieceLosses"
    />
  )
}
