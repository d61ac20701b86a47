import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import {
  type Changes,
  clearCells,
  copyCells,
  fillDown,
  type Grid,
  type PasteResult,
  type Range,
  revertCell,
  textAt,
  writeOne,
} from './gridEdits.ts'
import { moved, type Place, placeAt, rangeOf } from './gridKeys.ts'
import { readTsv, writeTsv } from './tsv.ts'
import type { CellActs } from './types.ts'

/** The rows of a grid and its actions. */
export interface InputEdits<T> {
  grid: Grid<T>
  rows: readonly T[]
  changes: Changes
  change: (next: Changes) => void
  /** Undoes the last step. */
  stepBack: () => void
  paste: (range: Range, cells: readonly (readonly string[])[]) => PasteResult
}

interface Options<T> {
  element: RefObject<HTMLElement | null>
  edits: InputEdits<T>
  /** Rows in view at once. */
  page: number
  isLocked: boolean
  /** Reports the result of a paste. */
  onPasted: (pasted: PasteResult) => void
}

/** What the clipboard acts on. */
interface ClipboardTarget<T> {
  place: Place
  edits: InputEdits<T>
  options: Options<T>
}

/** Copies, cuts and pastes the selected cells. */
function useClipboard<T>(
  element: RefObject<HTMLElement | null>,
  latest: RefObject<ClipboardTarget<T>>,
  setPlace: (place: Place) => void,
) {
  // Outside of text fields, clipboard events occur on the page; they belong to the grid while it has the focus.
  useEffect(() => {
    const isOurs = () => document.activeElement === element.current
    const copy = (event: ClipboardEvent) => {
      if (!isOurs()) return
      const { edits: now, place: at, options: of } = latest.current
      event.clipboardData?.setData('text/plain', writeTsv(copyCells(now.grid, now.changes, rangeOf(at))))
      event.preventDefault()
      if (event.type === 'cut' && !of.isLocked) now.change(clearCells(now.grid, now.changes, rangeOf(at)))
    }
    const paste = (event: ClipboardEvent) => {
      const { edits: now, place: at, options: of } = latest.current
      if (!isOurs() || of.isLocked) return
      event.preventDefault()
      const cells = readTsv(event.clipboardData?.getData('text/plain') ?? '')
      const pasted = now.paste(rangeOf(at), cells)
      const wide = Math.max(...cells.map(({ length }) => length), 1)
      const { top, left } = rangeOf(at)
      setPlace({
        row: top,
        column: left,
        toRow: Math.min(pasted.rows - 1, top + Math.max(cells.length, 1) - 1),
        toColumn: Math.min(now.grid.columns.length - 1, left + wide - 1),
      })
      of.onPasted(pasted)
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', copy)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', copy)
      document.removeEventListener('paste', paste)
    }
  }, [element, latest, setPlace])
}

/** Keyboard, pointer and clipboard of a grid. */
export function useGridInput<T>(options: Options<T>) {
  const { element, edits } = options
  const { grid, rows } = edits
  const { columns, keyOf } = grid
  const [place, setPlace] = useState<Place>(
    placeAt(
      0,
      Math.max(
        0,
        columns.findIndex(({ edit }) => edit),
      ),
    ),
  )
  const [draft, setDraft] = useState<string>()
  const size = { rows: rows.length, columns: columns.length, page: options.page }

  const canWrite = (column: number) => !options.isLocked && columns[column]?.edit !== undefined
  const begin = (at: Place, text?: string) => {
    if (canWrite(at.column)) setDraft(text ?? textAt(grid, edits.changes, at.row, at.column))
  }
  const latest = useRef({ place, edits, options, begin, size, draft })
  latest.current = { place, edits, options, begin, size, draft }

  const acts = useMemo((): CellActs => {
    const focus = () => element.current?.focus({ preventScroll: true })
    return {
      press: (row, column, event) => {
        const now = latest.current
        if (now.draft !== undefined && now.place.row === row && now.place.column === column) return
        // The input of another cell is blurred first, so that its text is written.
        focus()
        event.preventDefault()
        const isSame = now.place.row === row && now.place.column === column
        setPlace(event.shiftKey ? { ...now.place, toRow: row, toColumn: column } : placeAt(row, column))
        // A finger has no double click: the second tap starts the edit.
        if (isSame && event.pointerType !== 'mouse') now.begin(placeAt(row, column))
      },
      enter: (row, column) => setPlace((before) => ({ ...before, toRow: row, toColumn: column })),
      edit: (row, column) => latest.current.begin(placeAt(row, column)),
      finish: (text, go) => {
        const { place: at, edits: now, size: of } = latest.current
        setDraft(undefined)
        if (text !== undefined) now.change(writeOne(now.grid, now.changes, at.row, at.column, text))
        const key = { down: 'ArrowDown', next: 'Tab', before: 'Tab', stay: '' }[go]
        const next = moved(placeAt(at.row, at.column), { key, shiftKey: go === 'before', isCommand: false }, of)
        if (next) setPlace(next)
        if (go !== 'stay' || text === undefined) focus()
      },
    }
  }, [element])

  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    const key = isCommand ? event.key.toLowerCase() : event.key
    const at = rangeOf(place)
    const next = moved(place, { key, shiftKey: event.shiftKey, isCommand }, size)
    const { change, changes } = edits
    if (next) setPlace(next)
    else if (key === 'Enter' || key === 'F2') begin(place)
    else if (key === 'Escape') {
      const row = rows[place.row]
      const column = columns[place.column]
      if (row !== undefined && column) change(revertCell(changes, keyOf(row), column.id))
    } else if (options.isLocked) return
    else if (key === 'Delete' || key === 'Backspace') change(clearCells(grid, changes, at))
    else if (isCommand && key === 'd') change(fillDown(grid, changes, at))
    else if (isCommand && key === 'z') edits.stepBack()
    else if (event.key.length === 1 && !isCommand && !event.altKey) begin(place, event.key === ' ' ? '' : event.key)
    else return
    event.preventDefault()
    // Keys of a cell do not reach the list around it.
    event.stopPropagation()
  }

  useClipboard(element, latest, setPlace)

  return { place, draft, acts, onKeyDown, go: (row: number, column: number) => setPlace(placeAt(row, column)) }
}
