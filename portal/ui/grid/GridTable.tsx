import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './EditGrid.module.css'
import { cellId, GridRow } from './GridRow.tsx'
import type { Changes } from './gridEdits.ts'
import { type Place, rangeOf } from './gridKeys.ts'
import type { CellActs, GridColumn } from './types.ts'
import { type RowsInView, rowHeight } from './useRowsInView.ts'

interface Props<T> {
  /** The start of the cells' ids. */
  id: string
  /** The table's name for screen readers. */
  name: string
  rows: readonly T[]
  columns: readonly GridColumn<T>[]
  keyOf: (row: T) => string
  nameOf: (row: T) => string
  /** Changed and faulty cells. */
  changes: Changes
  inView: RowsInView
  input: {
    place: Place
    draft: string | undefined
    acts: CellActs
    onKeyDown: (event: KeyboardEvent) => void
  }
  isSaving?: boolean
  /** The grid takes the focus when it is shown. */
  isFocused?: boolean
}

/** The cells of a grid: only rows in view are drawn. */
export function GridTable<T>(props: Props<T>) {
  const { id, name, rows, columns, keyOf, nameOf, changes, inView, input, isSaving = false, isFocused = false } = props
  const { element, view, onScroll, reveal } = inView
  const { place, draft, acts, onKeyDown } = input
  const { t } = useTranslation('editing')
  useFocus(element, isFocused)
  useLayoutEffect(() => reveal(place.toRow), [reveal, place.toRow])
  const selected = rangeOf(place)
  const template = columns.map(({ width }) => (width ? `${width}px` : 'minmax(180px, 1fr)')).join(' ')
  const least = columns.reduce((sum, { width }) => sum + (width ?? 180), 0)
  return (
    <>
      <div
        ref={element}
        className={classes.grid}
        role="grid"
        tabIndex={0}
        aria-label={name}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        aria-describedby={`${id}-keys`}
        aria-activedescendant={rows.length > 0 ? cellId(id, place.row, place.column) : undefined}
        aria-busy={isSaving}
        onKeyDown={onKeyDown}
        onScroll={onScroll}
        // All rows have the same width, with any content, so that columns align.
        style={{ '--least': `${least}px` } as CSSProperties}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: template }}>
            {columns.map((column, at) => (
              <div key={column.id} role="columnheader" aria-colindex={at + 1} className={classes.heading}>
                {column.name}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: rows.length * rowHeight }}>
          {rows.slice(view.first, view.last + 1).map((row, offset) => {
            const index = view.first + offset
            const isActive = index === place.row
            const isSelected = index >= selected.top && index <= selected.bottom
            return (
              <GridRow
                key={keyOf(row)}
                id={id}
                row={row}
                index={index}
                columns={columns}
                changes={changes.get(keyOf(row))}
                active={isActive ? place.column : undefined}
                from={isSelected ? selected.left : undefined}
                to={isSelected ? selected.right : undefined}
                draft={isActive ? draft : undefined}
                name={nameOf(row)}
                acts={acts}
                style={{ gridTemplateColumns: template, top: index * rowHeight }}
              />
            )
          })}
        </div>
      </div>
      <p id={`${id}-keys`} className={classes.keys}>
        {t('grid.keys')}
      </p>
    </>
  )
}

function useFocus(element: RefObject<HTMLElement | null>, isFocused: boolean) {
  useEffect(() => {
    if (isFocused) element.current?.focus({ preventScroll: true })
  }, [element, isFocused])
}
