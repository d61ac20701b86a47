import { type CSSProperties, memo } from 'react'
import { CellInput } from './CellInput.tsx'
import type { Change } from './cell.ts'
import { writeCell } from './cell.ts'
import classes from './EditGrid.module.css'
import type { CellActs, GridColumn } from './types.ts'

export interface GridRowProps<T> {
  id: string
  row: T
  index: number
  columns: readonly GridColumn<T>[]
  changes: ReadonlyMap<string, Change> | undefined
  /** The active cell's column, when it is in this row. */
  active: number | undefined
  /** Selected columns of this row, both ends included. */
  from: number | undefined
  to: number | undefined
  /** The initial text of the cell being edited; undefined while none is. */
  draft: string | undefined
  name: string
  acts: CellActs
  style: CSSProperties
}

export const cellId = (grid: string, row: number, column: number) => `${grid}-${row}-${column}`

function GridRowOnce<T>({
  id,
  row,
  index,
  columns,
  changes,
  active,
  from,
  to,
  draft,
  name,
  acts,
  style,
}: GridRowProps<T>) {
  return (
    <div role="row" aria-rowindex={index + 2} className={classes.row} style={style}>
      {columns.map((column, at) => {
        const change = changes?.get(column.id)
        const text = change?.text ?? writeCell(row, column, column.value(row))
        const isWriting = active === at && draft !== undefined && column.edit !== undefined
        return (
          <div
            key={column.id}
            id={cellId(id, index, at)}
            role="gridcell"
            aria-colindex={at + 1}
            tabIndex={-1}
            aria-selected={from !== undefined && at >= from && at <= (to ?? from)}
            aria-invalid={change?.fault ? true : undefined}
            className={classes.cell}
            data-active={active === at || undefined}
            data-changed={change ? true : undefined}
            data-fixed={column.edit ? undefined : true}
            data-kind={column.edit?.kind}
            onPointerDown={(event) => acts.press(index, at, event)}
            onPointerEnter={(event) => event.buttons === 1 && acts.enter(index, at)}
            onDoubleClick={() => acts.edit(index, at)}
          >
            {isWriting ? (
              <CellInput
                row={row}
                column={column}
                draft={draft}
                name={`${column.name}, ${name}`}
                finish={acts.finish}
              />
            ) : (
              <span className={classes.text} data-ghost={text === '' || undefined}>
                {text === '' ? column.ghost?.(row) : text}
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** One row, rendered again only when it changes. */
export const GridRow = memo(GridRowOnce) as typeof GridRowOnce
