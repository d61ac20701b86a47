import type { ReactNode } from 'react'
import type { FilterRule } from './listState.ts'

/** Where a row leads; the address names the merchant when the row is another's. */
export interface Place {
  to: string
  params?: Record<string, string>
  search?: Record<string, string | string[] | undefined>
}

export interface Column<T> {
  /** Unique in the table; also what the endpoint sorts by when `sort` is true. */
  id: string
  /** Its heading, already in the reader's language. */
  name: string
  cell: (item: T) => ReactNode
  /** Sortable: by `id`, or by another name of the endpoint's. */
  sort?: boolean | string
  align?: 'end' | 'center'
  /** In pixels, at most. */
  width?: number
  /** Not shown until the reader asks for it. */
  isHidden?: boolean
  /** Cannot be taken away. */
  isFixed?: boolean
  /** Only under "all distributors", such as the merchant's name. */
  isForAll?: boolean
  /** Its place on a phone's card: the first line, a badge beside it, the line below, the end of the last line, the body (else), or nowhere. */
  card?: 'title' | 'badge' | 'line' | 'aside' | 'none'
}

export interface Option {
  value: string
  label: string
}

/** A filter: its rule for the address, and what the reader sees of it. */
export interface Filter extends FilterRule {
  name: string
  options?: readonly Option[]
}

export interface BulkAction<T> {
  key: string
  name: string
  icon?: ReactNode
  isDanger?: boolean
  /** Gets the selected rows; `clear` ends the selection once it is done. */
  run: (items: readonly T[], clear: () => void) => void
}

/** A ready choice of filters, shown as a tab above the list. */
export interface View {
  id: string
  name: string
  filters: Record<string, string[]>
  count?: number
}
