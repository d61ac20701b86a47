import type { PointerEvent } from 'react'
import type { z } from 'zod'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Option } from '../value/option.ts'

/** The kind of a cell's value: money is minor units of its currency. */
export type CellValue = string | number | null

interface Editable<T> {
  /** The contract's rule of the value. A nullable rule allows an empty cell. */
  schema: z.ZodType
  kind: 'text' | 'number' | 'money' | 'select' | 'search'
  /** For a select: the values and their labels. */
  options?: (row: T) => readonly Option[]
  /**
   * For a search among too many values for a list: the value of a text, its possible values, and the label of a value.
   */
  search?: {
    find: (text: string) => string | undefined
    suggest: (text: string) => readonly string[]
    labelOf: (value: string) => string | undefined
  }
  /** For money. */
  currency?: (row: T) => Currency
}

/** A column of a grid; without `edit` it is read-only. */
export interface GridColumn<T> {
  id: string
  name: string
  /** In pixels. */
  width?: number
  value: (row: T) => CellValue
  /** Shown faintly in an empty cell, such as the default value. */
  ghost?: (row: T) => string
  edit?: Editable<T>
}

/** The changes of one row, by column. */
export interface RowEdit<T> {
  row: T
  values: Record<string, CellValue>
}

/** The result of a row: saved, changed by another user meanwhile, or refused with a message. */
export type RowOutcome<T> =
  | { kind: 'saved'; row: T }
  | { kind: 'conflict'; current: T; by: string | undefined; at: string | undefined }
  | { kind: 'refused'; column: string; sentence: string }

/** Makes a list's rows editable as in a spreadsheet. */
export interface ListEdit<T> {
  columns: readonly GridColumn<T>[]
  /** The row's name for screen readers. */
  nameOf: (row: T) => string
  /** Saves rows, in their order; each row is saved or refused on its own. */
  save: (edits: readonly RowEdit<T>[]) => Promise<RowOutcome<T>[]>
}

/** Actions on cells, by their position. */
export interface CellActs {
  press: (row: number, column: number, event: PointerEvent) => void
  enter: (row: number, column: number) => void
  edit: (row: number, column: number) => void
  /** Ends the edit of a cell, and then moves. Without a text nothing is written. */
  finish: (text: string | undefined, go: 'down' | 'next' | 'before' | 'stay') => void
}
