import { Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  type StockMovement,
  stockMovementColumns,
  stockMovementOrds,
  stockMovements,
} from '#contract/stock/stock-movement.ts'
import { stockMovementKinds } from '#contract/vocabulary/stock.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { Shrinkage } from './Shrinkage.tsx'

const order = { ord: 'at', ordType: 'DESC' } as const

const columns = recordColumns<StockMovement>(stockMovementColumns, stockMovementOrds, ({ t, format }: Say) => ({
  title: 'selection',
  aside: 'at',
  lines: ['product'],
  looks: {
    at: { align: undefined },
    selection: {
      cell: ({ selection }) => (
        <Text span fw={600}>
          {selection}
        </Text>
      ),
      label: ({ selection }) => selection,
    },
    product: { cell: ({ product }) => product ?? '–' },
    kind: {
      cell: ({ kind, opening, late }) => (
        <Stack component="span" gap={0} display="inline-flex">
          <span>{t(`stock-movement:kind.${kind}`)}</span>
          {(late || opening) && (
            <Text span c="faint" fz="xs">
              {t(late ? 'stock-movement:late' : 'stock-movement:opening')}
            </Text>
          )}
        </Stack>
      ),
    },
    amount: {
      number: undefined,
      cell: ({ amount }) => (amount > 0 ? `+${format.number(amount)}` : format.number(amount)),
    },
    changedBy: { cell: ({ changedBy }) => changedBy ?? '–' },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('stock:filter.search') },
  { key: 'period', kind: 'period', name: t('stock-movement:filter.period') },
  anyOf('kinds', t('stock-movement:column.kind'), stockMovementKinds, (kind) => t(`stock-movement:kind.${kind}`)),
]

/** What changed the stock of a machine, newest first, with what counts lacked. */
export default function StockMovementsTab() {
  const { t } = useTranslation(['stock-movement', 'stock'])
  const { posId } = useParams({ strict: false }) as { posId: string }
  return (
    <ListScreen
      id="stockMovements"
      isEmbedded
      title={t('stock-movement:title')}
      row={stockMovements.listStockMovements}
      params={{ posId }}
      columns={columns}
      filters={filters}
      order={order}
      exports="stockMovements"
      empty={{ title: t('stock-movement:empty.title'), text: t('stock-movement:empty.text') }}
    >
      {(filter) => <Shrinkage posId={posId} filter={filter} />}
    </ListScreen>
  )
}
