import { writeCell } from '#portal/ui/grid/cell.ts'
import type { GridColumn } from '#portal/ui/grid/types.ts'
import classes from './Lines.module.css'
import { keyOfRow, type LineRow } from './lineDraft.ts'

/** All selections on paper: the grid draws only the rows in view. */
export function PrintedLines({ rows, columns }: { rows: readonly LineRow[]; columns: readonly GridColumn<LineRow>[] }) {
  return (
    <table className={classes.printed} aria-hidden>
      <thead>
        <tr>
          {columns.map(({ id, name, edit }) => (
            <th key={id} data-kind={edit?.kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOfRow(row)}>
            {columns.map((column) => (
              <td key={column.id} data-kind={column.edit?.kind}>
                {writeCell(row, column, column.value(row))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
