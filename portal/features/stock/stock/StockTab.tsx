import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type StockRow, stock } from '#contract/stock/stock.ts'
import { stockStatuses, stockTypes } from '#contract/vocabulary/stock.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Stock.module.css'
import { stockLooks } from './stockLooks.ts'

const order = { ord: 'status', ordType: 'ASC' } as const
const keyOf = ({ selection }: StockRow) => selection
const nameOfType = { [stockTypes.hotTotal]: 'hotTotal', [stockTypes.coldByPriceLine]: 'coldByPriceLine' } as const
const toneOf = ({ status }: StockRow) => (status === stockStatuses.out ? 'crit' : undefined)

/** The stock a machine last reported; empty selections first. */
export default function StockTab() {
  const { t } = useTranslation('stock')
  const { posId } = useParams({ strict: false }) as { posId: string }
  const columns = useStockColumns()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      anyOf('statuses', t('column.status'), stockStatuses, (name) => t(`status.${name}`)),
      anyOf('stockTypes', t('column.stockType'), stockTypes, (name) => t(`type.${name}`)),
    ],
    [t],
  )
  return (
    <ListScreen
      id="stock"
      isEmbedded
      title={t('title')}
      row={stock.listStock}
      params={{ posId }}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      toneOf={toneOf}
      exports="stock"
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  )
}

/** A level as numbers, with its bar where the capacity is known. */
function Level({ row: { selection, level, capacity, warningLevel } }: { row: StockRow }) {
  const { t } = useTranslation('stock')
  const format = useFormat()
  if (capacity === null) return format.number(level)
  return (
    <span className={classes.level}>
      <span>{t('of', { level: format.number(level), capacity: format.number(capacity) })}</span>
      <LevelBar
        percent={(level / capacity) * 100}
        // Coloured as the badge beside it: low at the warning level itself, critical with nothing left.
        warnAt={(((warningLevel ?? 0) + 0.5) / capacity) * 100}
        critAt={50 / capacity}
        label={t('levelOf', { selection })}
      />
    </span>
  )
}

function useStockColumns(): Column<StockRow>[] {
  const { t } = useTranslation('stock')
  const format = useFormat()
  return useMemo(
    (): Column<StockRow>[] => [
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
      {
        id: 'stockType',
        name: t('column.stockType'),
        card: 'line',
        cell: ({ stockType }) => stockType && t(`type.${nameOfType[stockType]}`),
      },
      {
        id: 'level',
        name: t('column.level'),
        sort: true,
        number: ({ level }) => level,
        cell: (row) => <Level row={row} />,
      },
      {
        id: 'status',
        name: t('column.status'),
        sort: true,
        card: 'badge',
        cell: ({ status }) => <StatusBadge of={stockLooks} value={status} />,
      },
      {
        id: 'warningLevel',
        name: t('column.warningLevel'),
        align: 'end',
        number: ({ warningLevel }) => warningLevel,
        cell: ({ warningLevel }) => (warningLevel === null ? '–' : format.number(warningLevel)),
      },
      {
        id: 'refilledAt',
        name: t('column.refilledAt'),
        sort: true,
        align: 'end',
        cell: ({ refilledAt }) => (refilledAt === null ? '–' : <When at={refilledAt} />),
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
    [t, format],
  )
}
