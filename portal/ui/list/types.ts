import type { ReactNode } from 'react'
import type { Permission } from '#contract/access.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Requirement } from '#portal/app/enabled.ts'
import type { Option } from '../value/option.ts'
import type { FilterRule } from './state/listState.ts'

export interface Column<T> extends Requirement {
  /** Unique in the table; also the endpoint's sort key when `sort` is true. */
  id: string
  /** Its heading, already in the reader's language. */
  name: string
  cell: (item: T) => ReactNode
  /** Sortable: by `id`, or by another name of the endpoint's. */
  sort?: boolean | string
  align?: 'end' | 'center'
  /** Maximum width in pixels. */
  width?: number
  /** Hidden by default. */
  isHidden?: boolean
  /** Cannot be hidden. */
  isFixed?: boolean
  /** Only under "all merchants", such as the merchant's name. */
  isForAll?: boolean
  /**
   * Its place on a phone's card: the first line, a badge beside it, the line below, the end of the last line, the body
   * (default), or nowhere.
   */
  card?: 'title' | 'badge' | 'line' | 'aside' | 'none'
  /** Its number, for charts: a count, minor units of `currencyOf`, or percent. Undefined if the row has none. */
  number?: (item: T) => number | null | undefined
  /** The unit of `number`; a count by default. */
  unit?: 'count' | 'money' | 'percent'
  /** The currency of `number`, if it is money. */
  currencyOf?: (item: T) => Currency
  /** The row's name in a chart; a list with numbers has one such column. */
  label?: (item: T) => string
}

/** A filter: its rule for the address, and its appearance. */
export interface Filter extends FilterRule, Requirement {
  name: string
  options?: readonly Option[]
  /** If there may be more than `options`: fetches options by two letters of their names, or by their values. */
  find?: (query: { search: string } | { ids: readonly string[] }) => Promise<readonly Option[]>
  /** A range whose days may be in the future. */
  isAhead?: boolean
}

/** The selection of a bulk action: single rows, or all rows that match the filters, with exceptions. */
export type BulkSelection<T> =
  | { kind: 'rows'; items: readonly T[]; ids: string[] }
  | { kind: 'matching'; filters: Record<string, unknown>; count: number; except: string[] }

/** The selection in the format of a call (`selectionOf` in the contract). */
export const selectionIn = <T>(selection: BulkSelection<T>) =>
  selection.kind === 'rows'
    ? { ids: selection.ids }
    : {
        matching: selection.filters,
        count: selection.count,
        ...(selection.except.length > 0 ? { except: selection.except } : {}),
      }

export interface BulkAction<T> extends Requirement {
  key: string
  /** Shown to users with this right. */
  needs: Permission
  name: string
  icon?: ReactNode
  isDanger?: boolean
  /** Maximum rows per action; by default the counting limit. */
  most?: number
  /** Receives the selection; `clear` ends the selection once it is done. */
  run: (selection: BulkSelection<T>, clear: () => void) => void
}

/** A ready choice of filters, shown as a tab above the list. */
export interface View {
  id: string
  name: string
  filters: Record<string, string[]>
  count?: number
}
