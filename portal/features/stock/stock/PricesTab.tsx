import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type PriceRow, stock } from '#contract/stock/stock.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Stock.module.css'

const order = { ord: 'selection', ordType: 'ASC' } as const
const keyOf = ({ selection }: PriceRow) => selection

/** The prices of a machine's selections, one column per price list. */
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

const priceOf = (row: PriceRow, list: number) => row.prices.find(({ priceTable }) => priceTable === list)?.price

/** A price of one list; a price that differs from the first list's is marked. */
function Price({ row, list }: { row: PriceRow; list: number }) {
  const { t } = useTranslation('stock')
  const price = priceOf(row, list)
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
        label: ({ selection, product }) => (product ? `${selection} ${product}` : selection),
        cell: ({ selection }) => <span className={classes.selection}>{selection}</span>,
      },
      { id: 'product', name: t('column.product'), sort: true, card: 'line', cell: ({ product }) => product ?? '–' },
      ...lists.map((list): Column<PriceRow> => {
        const word = priceTables[list as keyof typeof priceTables]
        return {
          id: `list${list}`,
          name: t(`vocabulary:priceTable.${word}`),
          align: 'end',
          number: (row) => priceOf(row, list),
          unit: 'money',
          currencyOf: ({ currency }) => currency,
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
