import { useCallback, useRef, useState } from 'react'
import { type EditConflict, mergeEdits } from '#domain/frame/editing.ts'
import { type Changes, editsOf, type Grid, type PasteResult, pasteCells, type Range, refuseCell } from './gridEdits.ts'
import type { CellValue, GridColumn, RowEdit, RowOutcome } from './types.ts'

const none: Changes = new Map()
/** Steps that can be undone while editing. */
const mostSteps = 100

/** A row that another user has changed in the same cells. */
export interface RowConflict {
  key: string
  by: string | undefined
  at: string | undefined
  conflicts: EditConflict[]
}

/**
 * What the outcomes of sent edits leave: the remaining changes, the server's rows, rows to be saved again after a merge, and
 * open conflicts.
 */
function settledBy<T>(
  edits: readonly RowEdit<T>[],
  outcomes: readonly RowOutcome<T>[],
  before: Changes,
  { columns, keyOf }: Pick<Grid<T>, 'columns' | 'keyOf'>,
) {
  const again: RowEdit<T>[] = []
  const open: RowConflict[] = []
  const fresh: T[] = []
  let changes = before
  const valuesOf = (row: T) =>
    Object.fromEntries(columns.filter(({ edit }) => edit).map((one) => [one.id, one.value(row)]))
  const without = (key: string) => {
    const after = new Map(changes)
    after.delete(key)
    return after
  }
  edits.forEach((edit, index) => {
    const outcome = outcomes[index]
    const key = keyOf(edit.row)
    if (outcome?.kind === 'saved') {
      fresh.push(outcome.row)
      changes = without(key)
    } else if (outcome?.kind === 'refused') changes = refuseCell(changes, key, outcome.column, outcome.sentence)
    else if (outcome) {
      const { current, by, at } = outcome
      const base = valuesOf(edit.row)
      const merge = mergeEdits(base, { ...base, ...edit.values }, valuesOf(current))
      fresh.push(current)
      if (merge.conflicts.length === 0) again.push({ row: current, values: edit.values })
      else open.push({ key, by, at, conflicts: merge.conflicts })
    }
  })
  return { again, open, fresh, changes }
}

/** Rows and their changes since the last save. */
export function useGridEdits<T>(initial: readonly T[], columns: readonly GridColumn<T>[], keyOf: (row: T) => string) {
  const [rows, setRows] = useState(initial)
  const [changes, setChanges] = useState<Changes>(none)
  const [conflicts, setConflicts] = useState<readonly RowConflict[]>([])
  const steps = useRef<Changes[]>([])
  const grid: Grid<T> = { rows, columns, keyOf }

  // The state before the next step: a save in several rounds does not wait for a render in between.
  const latest = useRef(changes)
  const set = useCallback((next: Changes) => {
    latest.current = next
    setChanges(next)
  }, [])
  const change = useCallback(
    (next: Changes) => {
      if (next !== latest.current) steps.current = [...steps.current.slice(1 - mostSteps), latest.current]
      set(next)
    },
    [set],
  )
  const stepBack = () => {
    const before = steps.current.pop()
    if (before) set(before)
  }
  const paste = (range: Range, cells: readonly (readonly string[])[]): PasteResult => {
    const { changes: next, ...pasted } = pasteCells(grid, changes, range, cells)
    change(next)
    return pasted
  }
  const reset = () => {
    steps.current = []
    set(none)
    setConflicts([])
  }

  const replaceRows = (fresh: readonly T[]) => {
    const byKey = new Map(fresh.map((row) => [keyOf(row), row]))
    setRows((before) => before.map((row) => byKey.get(keyOf(row)) ?? row))
  }

  /**
   * Applies the result of a save: saved rows take the server's values, refused cells show their error. Returns rows
   * that another user changed and that could be merged, to be saved again.
   */
  const settle = (edits: readonly RowEdit<T>[], outcomes: readonly RowOutcome<T>[]): RowEdit<T>[] => {
    const { again, open, fresh, changes: next } = settledBy(edits, outcomes, latest.current, { columns, keyOf })
    replaceRows(fresh)
    steps.current = []
    set(next)
    const sent = new Set(edits.map(({ row }) => keyOf(row)))
    setConflicts((before) => [...before.filter(({ key }) => !sent.has(key)), ...open])
    return again
  }

  /** Takes the other user's values in these cells of a row; the user's remaining changes can be saved. */
  const decide = (key: string, otherFields: ReadonlySet<string>): RowEdit<T>[] => {
    const of = new Map(latest.current.get(key))
    for (const field of otherFields) of.delete(field)
    const next = new Map(latest.current)
    if (of.size > 0) next.set(key, of)
    else next.delete(key)
    set(next)
    setConflicts((before) => before.filter((one) => one.key !== key))
    return editsOf(grid, next).filter(({ row }) => keyOf(row) === key)
  }

  return {
    grid,
    rows,
    changes,
    conflicts,
    change,
    stepBack,
    paste,
    reset,
    replaceRows,
    settle,
    decide,
    edits: () => editsOf(grid, changes),
  }
}

/** The values of the saved rows before the save, to be written back. */
export const earlierOf = <T>(
  edits: readonly RowEdit<T>[],
  outcomes: readonly RowOutcome<T>[],
  columns: readonly GridColumn<T>[],
): RowEdit<T>[] =>
  edits.flatMap(({ row, values }, index) => {
    const outcome = outcomes[index]
    if (outcome?.kind !== 'saved') return []
    const earlier: Record<string, CellValue> = {}
    for (const column of columns) if (column.id in values) earlier[column.id] = column.value(row)
    return [{ row: outcome.row, values: earlier }]
  })
