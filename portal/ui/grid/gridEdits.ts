import { type Change, type Fault, readCell, writeCell } from './cell.ts'
import type { CellValue, GridColumn, RowEdit } from './types.ts'

/** Changed cells by row and column. An unchanged row keeps its map, so that it is not rendered again. */
export type Changes = ReadonlyMap<string, ReadonlyMap<string, Change>>

/** Places of cells, from 0; both ends included. */
export interface Range {
  top: number
  bottom: number
  left: number
  right: number
}

export interface Grid<T> {
  rows: readonly T[]
  columns: readonly GridColumn<T>[]
  keyOf: (row: T) => string
}

/** The result of a paste: rows afterwards, cells written, cells beyond the end, and read-only cells. */
export interface PasteResult {
  rows: number
  written: number
  left: number
  fixed: number
}

/** The same with the changes afterwards. */
export interface PasteChanges extends PasteResult {
  changes: Changes
}

/** The current content of a cell. */
export function textAt<T>({ rows, columns, keyOf }: Grid<T>, changes: Changes, row: number, column: number): string {
  const item = rows[row]
  const rule = columns[column]
  if (item === undefined || !rule) return ''
  return changes.get(keyOf(item))?.get(rule.id)?.text ?? writeCell(item, rule, rule.value(item))
}

/** Writes texts into cells, all at once; a text equal to the saved value is not a change. */
function writeTexts<T>(
  grid: Grid<T>,
  changes: Changes,
  cells: Iterable<{ row: number; column: number; text: string }>,
): PasteChanges {
  const after = new Map(changes)
  const touched = new Map<string, Map<string, Change>>()
  const result = { rows: grid.rows.length, written: 0, left: 0, fixed: 0 }
  for (const { row, column, text } of cells) {
    const item = grid.rows[row]
    const rule = grid.columns[column]
    if (item === undefined || !rule) result.left++
    else if (!rule.edit) result.fixed++
    else {
      result.written++
      const key = grid.keyOf(item)
      let of = touched.get(key)
      if (!of) {
        of = new Map(changes.get(key))
        touched.set(key, of)
      }
      const change = readCell(item, rule, text)
      if (!change.fault && change.value === rule.value(item)) of.delete(rule.id)
      else of.set(rule.id, change)
    }
  }
  for (const [key, of] of touched) {
    if (of.size > 0) after.set(key, of)
    else after.delete(key)
  }
  return { ...result, changes: after }
}

const cellsOf = function* ({ top, bottom, left, right }: Range) {
  for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) yield { row, column }
}

export const writeOne = <T>(grid: Grid<T>, changes: Changes, row: number, column: number, text: string): Changes =>
  writeTexts(grid, changes, [{ row, column, text }]).changes

export const clearCells = <T>(grid: Grid<T>, changes: Changes, range: Range): Changes =>
  writeTexts(
    grid,
    changes,
    [...cellsOf(range)].map((cell) => ({ ...cell, text: '' })),
  ).changes

/** Copies the first row of the range into all its rows. */
export const fillDown = <T>(grid: Grid<T>, changes: Changes, range: Range): Changes =>
  writeTexts(
    grid,
    changes,
    [...cellsOf({ ...range, top: range.top + 1 })].map((cell) => ({
      ...cell,
      text: textAt(grid, changes, range.top, cell.column),
    })),
  ).changes

/** Puts cells at the range's corner; a single cell fills the whole range. Cells beyond the end are counted and left out. */
export function pasteCells<T>(
  grid: Grid<T>,
  changes: Changes,
  range: Range,
  cells: readonly (readonly string[])[],
): PasteChanges {
  const [first] = cells
  if (cells.length === 1 && first?.length === 1)
    return writeTexts(
      grid,
      changes,
      [...cellsOf(range)].map((cell) => ({ ...cell, text: first[0] as string })),
    )
  return writeTexts(
    grid,
    changes,
    cells.flatMap((row, down) =>
      row.map((text, along) => ({ row: range.top + down, column: range.left + along, text })),
    ),
  )
}

/** Cells of a range as texts, to be copied. */
export const copyCells = <T>(grid: Grid<T>, changes: Changes, { top, bottom, left, right }: Range): string[][] =>
  Array.from({ length: bottom - top + 1 }, (_, down) =>
    Array.from({ length: right - left + 1 }, (__, along) => textAt(grid, changes, top + down, left + along)),
  )

/** Undoes the change of one cell. */
export function revertCell(changes: Changes, key: string, column: string): Changes {
  if (!changes.get(key)?.has(column)) return changes
  const of = new Map(changes.get(key))
  of.delete(column)
  const after = new Map(changes)
  if (of.size > 0) after.set(key, of)
  else after.delete(key)
  return after
}

/** Marks a cell as refused. */
export function refuseCell(changes: Changes, key: string, column: string, sentence: string): Changes {
  const of = new Map(changes.get(key))
  const id = of.has(column) ? column : ([...of.keys()][0] ?? column)
  const change = of.get(id)
  const fault: Fault = { sentence }
  of.set(id, change ? { ...change, fault } : { text: '', value: null, fault })
  return new Map(changes).set(key, of)
}

export const countChanges = (changes: Changes) => [...changes.values()].reduce((sum, of) => sum + of.size, 0)

/** Cells refused by the server are retried with the next save; invalid text is not. */
const isOwnFault = ({ fault }: Change) => fault !== undefined && !('sentence' in fault)
export const countFaults = (changes: Changes) =>
  [...changes.values()].reduce((sum, of) => sum + [...of.values()].filter(isOwnFault).length, 0)

/** The changed rows to save, in the table's order. */
export const editsOf = <T>({ rows, keyOf }: Grid<T>, changes: Changes): RowEdit<T>[] =>
  rows.flatMap((row) => {
    const of = changes.get(keyOf(row))
    const values: Record<string, CellValue> = {}
    for (const [column, { value }] of of ?? []) values[column] = value
    return of ? [{ row, values }] : []
  })
