import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { PlanogramLine, PricesByTable } from '#contract/catalogue/planogram.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { GridColumn } from '#portal/ui/grid/types.ts'
import { cellOf, type LineRow, priceColumn, type Table } from './lineDraft.ts'
import type { Products } from './useProductChoices.ts'

const pieces = ['capacity', 'warningLevel', 'refillValue'] as const
const noProducts: Products = { byId: new Map(), find: () => undefined, suggest: () => [], labelOf: () => '…' }
const price = PricesByTable.valueType.nullable()
const { selection, productId, ...counts } = PlanogramLine.shape

/** The columns of the editor: a selection's fields, and a price of each table in use. */
export function useLineColumns(
  tables: readonly Table[],
  products: Products = noProducts,
  currency: Currency,
): GridColumn<LineRow>[] {
  const { t } = useTranslation(['planogram', 'vocabulary'])
  return useMemo(() => {
    const column = (id: string, name: string, width: number | undefined, edit: GridColumn<LineRow>['edit']) => ({
      id,
      name,
      ...(width && { width }),
      value: ({ line }: LineRow) => cellOf(line, id),
      ...(edit && { edit }),
    })
    const { find, suggest, labelOf } = products
    return [
      column('selection', t('line.selection'), 88, { kind: 'text', schema: selection }),
      column('productId', t('line.product'), undefined, {
        kind: 'search',
        schema: productId,
        search: { find, suggest, labelOf },
      }),
      ...pieces.map((field) => column(field, t(`line.${field}`), 82, { kind: 'number', schema: counts[field] })),
      ...tables.map((table) =>
        column(priceColumn(table), t(`vocabulary:priceTable.${nameOf(priceTables, table)}`), 90, {
          kind: 'money',
          schema: price,
          currency: () => currency,
        }),
      ),
    ]
  }, [t, tables, products, currency])
}
