import type { HTMLAttributes } from 'react'
import { useTranslation } from 'react-i18next'
import { columnWidths } from '#contract/platform/table-state.ts'
import classes from './Heading.module.css'
import type { Column } from './types.ts'

export interface Sorting {
  ord: string | undefined
  ordType: 'ASC' | 'DESC'
  sort: (ord: string, ordType: 'ASC' | 'DESC') => void
}

interface Props<T> extends Sorting {
  column: Column<T>
  /** Moves the edge between this column and the next. */
  edge: HTMLAttributes<HTMLElement> & { 'aria-valuenow': number }
  /** The table has set all widths: a width of the last column would be shared among all. */
  isSizedByTable: boolean
}

/** The heading of a column: sorts by it, and resizes it at its edge, by pointer or arrow keys. */
export function Heading<T>({ column, ord, ordType, sort, edge, isSizedByTable }: Props<T>) {
  const { t } = useTranslation('list')
  const by = column.sort === true ? column.id : column.sort || undefined
  const isSorted = by !== undefined && by === ord
  const direction = ordType === 'ASC' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      className={classes.heading}
      data-align={column.align}
      aria-sort={isSorted ? direction : undefined}
      style={column.width && !isSizedByTable ? { width: column.width } : undefined}
    >
      {by ? (
        <button
          type="button"
          className={`${classes.sort} inks`}
          onClick={() => sort(by, isSorted && ordType === 'ASC' ? 'DESC' : 'ASC')}
        >
          <span className={classes.name}>{column.name}</span>
          <span aria-hidden className={classes.arrow} data-sorted={isSorted}>
            {isSorted && ordType === 'DESC' ? '↓' : '↑'}
          </span>
        </button>
      ) : (
        column.name
      )}
      <span
        role="separator"
        aria-orientation="vertical"
        aria-label={t('width', { name: column.name })}
        aria-valuemin={columnWidths.least}
        aria-valuemax={columnWidths.most}
        tabIndex={0}
        className={`${classes.edge} no-print`}
        {...edge}
      />
    </th>
  )
}
