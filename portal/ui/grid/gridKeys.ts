import type { Range } from './gridEdits.ts'

/** The position: the active cell, and the opposite corner of the selection. */
export interface Place {
  row: number
  column: number
  toRow: number
  toColumn: number
}

export interface Size {
  rows: number
  columns: number
  /** Rows that are in view at once. */
  page: number
}

export const rangeOf = ({ row, column, toRow, toColumn }: Place): Range => ({
  top: Math.min(row, toRow),
  bottom: Math.max(row, toRow),
  left: Math.min(column, toColumn),
  right: Math.max(column, toColumn),
})

export const placeAt = (row: number, column: number): Place => ({ row, column, toRow: row, toColumn: column })

interface KeyPress {
  key: string
  shiftKey: boolean
  isCommand: boolean
}

/**
 * The target of a key; undefined for keys that do not move. Shift extends the selection. Tab leaves the grid at its
 * ends.
 */
export function moved(place: Place, { key, shiftKey, isCommand }: KeyPress, size: Size): Place | undefined {
  const lastRow = size.rows - 1
  const lastColumn = size.columns - 1
  const within = (row: number, column: number) =>
    [Math.max(0, Math.min(lastRow, row)), Math.max(0, Math.min(lastColumn, column))] as const
  if (key === 'Tab') {
    const next = place.row * size.columns + place.column + (shiftKey ? -1 : 1)
    return next < 0 || next >= size.rows * size.columns
      ? undefined
      : placeAt(Math.floor(next / size.columns), next % size.columns)
  }
  if (key === 'a' && isCommand) return { row: 0, column: 0, toRow: lastRow, toColumn: lastColumn }
  const [row, column] = shiftKey ? [place.toRow, place.toColumn] : [place.row, place.column]
  const far = isCommand ? Number.POSITIVE_INFINITY : 1
  const to = {
    ArrowDown: [row + far, column],
    ArrowUp: [row - far, column],
    ArrowRight: [row, column + far],
    ArrowLeft: [row, column - far],
    PageDown: [row + size.page, column],
    PageUp: [row - size.page, column],
    Home: [isCommand ? 0 : row, 0],
    End: [isCommand ? lastRow : row, lastColumn],
  }[key] as [number, number] | undefined
  if (!to) return undefined
  const [toRow, toColumn] = within(...to)
  return shiftKey ? { ...place, toRow, toColumn } : placeAt(toRow, toColumn)
}
