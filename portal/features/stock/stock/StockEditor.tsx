import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type StockRow, stock } from '#contract/stock/stock.ts'
import { StockEdit } from '#contract/stock/stock-movement.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { GridColumn } from '#portal/ui/grid/types.ts'
import ListEdit from '#portal/ui/list/ListEdit.tsx'
import classes from './Stock.module.css'
import { saveStock } from './stockEdits.ts'

interface Props {
  params: { merchantId: string; posId: string }
  close: () => void
}

const keyOf = ({ selection }: StockRow) => selection
const nameOf = ({ selection, product }: StockRow) => (product ? `${selection} ${product}` : selection)
const query = { ord: 'selection', ordType: 'ASC' }
const pieces = StockEdit.shape.count.unwrap().nullable()

/** Counts, waste and refills of a managed machine, entered as in a spreadsheet. */
export default function StockEditor({ params, close }: Props) {
  const { t } = useTranslation('stock')
  const format = useFormat()
  const columns = useMemo(
    (): GridColumn<StockRow>[] => [
      { id: 'selection', name: t('column.selection'), width: 90, value: ({ selection }) => selection },
      { id: 'product', name: t('column.product'), value: ({ product }) => product },
      {
        id: 'level',
        name: t('column.level'),
        width: 110,
        value: ({ level, capacity }) =>
          capacity === null
            ? format.number(level)
            : t('of', { level: format.number(level), capacity: format.number(capacity) }),
      },
      ...(['count', 'waste', 'refill'] as const).map(
        (field): GridColumn<StockRow> => ({
          id: field,
          name: t(`edit.${field}`),
          width: 110,
          value: () => null,
          // What fills it up.
          ghost: ({ level, refillValue }) =>
            field === 'refill' && refillValue !== null && refillValue > level ? format.number(refillValue - level) : '',
          edit: { kind: 'number', schema: pieces },
        }),
      ),
    ],
    [t, format],
  )
  return (
    <>
      <Text maw="90ch" c="dimmed" fz="sm" className={classes.note}>
        {t('edit.note')}
      </Text>
      <ListEdit<StockRow>
        name={t('title')}
        row={stock.listStock}
        params={params}
        query={query}
        keyOf={keyOf}
        nameOf={nameOf}
        columns={columns}
        save={(edits) =>
          saveStock(params, edits, {
            aboveCapacity: t('edit.aboveCapacity'),
            aboveLevel: t('edit.aboveLevel'),
            unknown: t('edit.unknown'),
          })
        }
        close={close}
      />
    </>
  )
}
