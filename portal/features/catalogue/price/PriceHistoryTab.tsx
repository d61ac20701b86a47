import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type PriceChange, priceChangeColumns, priceChangeOrds, prices } from '#contract/catalogue/price.ts'
import { priceSources } from '#contract/vocabulary/catalogue/price.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { tableWord } from './machinePrice.ts'

const order = { ord: 'at', ordType: 'DESC' } as const

const columns = recordColumns<PriceChange>(priceChangeColumns, priceChangeOrds, ({ t }: Say) => ({
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
    // A chart of single changes has no meaning.
    before: { number: undefined },
    after: { number: undefined },
    priceTable: { cell: ({ priceTable }) => t(tableWord(priceTable)) },
    changedBy: { cell: ({ changedBy, source }) => changedBy ?? (source === 'device' ? '–' : t('ui:provider')) },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('price:filter.search') },
  anyOf('priceTables', t('price:column.priceTable'), priceTables, (word) => t(`vocabulary:priceTable.${word}`)),
  anyOf('sources', t('price:history.source'), priceSources, (source) => t(`vocabulary:priceSource.${source}`)),
]

/** Changes of a machine's prices, by users and at the machine. */
export default function PriceHistoryTab() {
  const { t } = useTranslation('price')
  const { posId } = useParams({ strict: false }) as { posId: string }
  return (
    <ListScreen
      id="priceChanges"
      isEmbedded
      title={t('history.title')}
      row={prices.listPriceChanges}
      params={{ posId }}
      columns={columns}
      filters={filters}
      order={order}
      exports="priceChanges"
      empty={{ title: t('history.empty.title'), text: t('history.empty.text') }}
    />
  )
}
