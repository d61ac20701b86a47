import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { pieceOperationKinds } from '#contract/vocabulary/stock.ts'
import {
  type PieceOperation,
  pieceOperationColumns,
  pieceOperationOrds,
  pieceOperations,
} from '#contract/warehouse/piece-operation.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

const order = { ord: 'at', ordType: 'DESC' } as const
const keyOf = ({ id, productId }: PieceOperation) => `${id} ${productId}`

/** Where pieces came from or went to. */
function Other({ otherPlaceId, otherPlaceName, posId, posName, supplier }: PieceOperation) {
  if (posId) return <PlaceLink place={{ to: '/devices/$posId', params: { posId } }}>{posName}</PlaceLink>
  if (otherPlaceId)
    return (
      <PlaceLink place={{ to: '/stock-places/$stockPlaceId', params: { stockPlaceId: otherPlaceId } }}>
        {otherPlaceName}
      </PlaceLink>
    )
  return supplier
}

const columns = recordColumns<PieceOperation>(pieceOperationColumns, pieceOperationOrds, ({ format }: Say) => ({
  title: 'product',
  lines: ['kind', 'other'],
  aside: 'at',
  looks: {
    at: { align: undefined },
    pieces: {
      number: undefined,
      cell: ({ pieces }) => (pieces > 0 ? `+${format.number(pieces)}` : format.number(pieces)),
    },
    other: { cell: (row) => <Other {...row} /> },
    by: { cell: ({ by }) => by ?? '–' },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('piece:filter.moved') },
  { key: 'period', kind: 'period', name: t('piece:filter.period') },
  anyOf('kinds', t('piece:filter.kind'), pieceOperationKinds, (kind) => t(`vocabulary:pieceOperationKind.${kind}`)),
]

/** What entered and left a warehouse or van, newest first. */
export default function PieceOperationsTab() {
  const { t } = useTranslation(['piece', 'shell'])
  const { stockPlaceId } = useParams({ strict: false }) as { stockPlaceId: string }
  return (
    <ListScreen
      id="pieceOperations"
      isEmbedded
      title={t('shell:screens.stockMovements')}
      row={pieceOperations.listPieceOperations}
      params={{ stockPlaceId }}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      empty={{ title: t('piece:moves.empty.title'), text: t('piece:moves.empty.text') }}
    />
  )
}
