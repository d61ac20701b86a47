import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type PriceRow, stock } from '#contract/stock.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { whether } from '../../ui/list/filters.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Column, Filter } from '../../ui/list/types.ts'
import { Badge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'
import classes from './Stock.module.css'

const order = { ord: 'selection', ordType: 'ASC' } as const
const keyOf = ({ selection }: PriceRow) => selection

/** What a machine asks for its selections, a column to each of its price lists. */
export default function PricesTab() {
  const { t } = useTranslation('stock')
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  // Which lists there are decides the columns.
  const lists = useQuery(queryOf(stock.listPrices, { params, query: { size: 1 } })).data?.priceTables
  const columns = usePriceColumns(lists ?? none)
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      whether('differing', t('column.differing'), t('differing.yes'), t('differing.no')),
    ],
    [t],
  )
  if (!lists) return null
  return (
    <ListScreen
      id="prices"
      isEmbedded
      title={t('prices')}
      row={stock.listPrices}
      params={params}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      exports="prices"
      empty={{ title: t('emptyPrices.title'), text: t('emptyPrices.text') }}
    />
  )
}
const none: readonly number[] = []

/** A price of one list; one that is not that of the first list says so. */
function Price({ row, list }: { row: PriceRow; list: number }) {
  const { t } = useTranslation('stock')
  const price = row.prices.find(({ priceTable }) => priceTable === list)?.price
  if (price === undefined) return '–'
  const amount = <Amount minor={price} currency={row.currency} />
  if (price === row.prices[0]?.price) return amount
  return (
    <span className={classes.differs}>
      <span role="img" aria-label={t('differsHere')} title={t('differsHere')}>
        ≠
      </span>
      {amount}
    </span>
  )
}

function usePriceColumns(lists: readonly number[]): Column<PriceRow>[] {
  const { t } = useTranslation(['stock', 'vocabulary'])
  return useMemo(
    (): Column<PriceRow>[] => [
      {
        id: 'selection',
        name: t('column.selection'),
        sort: true,
        isFixed: true,
        card: 'title',
        cell: ({ selection }) => <span className={classes.selection}>{selection}</span>,
      },
      { id: 'product', name: t('column.product'), sort: true, card: 'line', cell: ({ product }) => product ?? '–' },
      ...lists.map((list): Column<PriceRow> => {
        const word = priceTables[list as keyof typeof priceTables]
        return {
          id: `list${list}`,
          name: t(`vocabulary:priceTable.${word}`),
          align: 'end',
          cell: (row) => <Price row={row} list={list} />,
        }
      }),
      {
        id: 'differing',
        name: t('column.differing'),
        card: 'badge',
        cell: ({ isDiffering }) =>
          isDiffering ? (
            <Badge tone="info" mark="half">
              {t('differing.yes')}
            </Badge>
          ) : (
            <Badge tone="mute" mark="check">
              {t('differing.no')}
            </Badge>
          ),
      },
      {
        id: 'updatedAt',
        name: t('column.updatedAt'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ updatedAt }) => <When at={updatedAt} />,
      },
    ],
    [t, lists],
  )
}
