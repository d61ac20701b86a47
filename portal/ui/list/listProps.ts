import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { Permission } from '#contract/access.ts'
import type { ExportList } from '#contract/export/export-lists.ts'
import type { AnyEndpoint, ClientInput, ResultOf } from '#contract/frame/endpoint.ts'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import type { useFormat } from '#portal/app/i18n/format.ts'
import type { PanelKey } from '#portal/app/panel.ts'
import type { Place } from '../../app/place.ts'
import type { ListEdit } from '../grid/types.ts'
import type { ListRules } from './state/listState.ts'
import type { BulkAction, Column, Filter, View } from './types.ts'

export type ItemOf<E> = ResultOf<E> extends { items: readonly (infer T extends object)[] } ? T : never
type ParamsOf<E> = ClientInput<E> extends { params: infer P } ? P : object
type QueryOf<E> = ClientInput<E> extends { query?: infer Q } ? Partial<Q> : undefined

/** Passed to declarations: the list's words, and formats of numbers and dates. */
export interface Say {
  t: TFunction
  format: ReturnType<typeof useFormat>
}

/** A list's own button, in its title row and in its empty state. */
export interface Create {
  name: string
  /** Shown to users with this right. */
  needs?: Permission
  icon?: ReactNode
  /** A screen to open, or an action on this screen. */
  does: Place | (() => void)
}

export interface Empty {
  title: string
  text?: string
  action?: ReactNode
}

interface ListDeclaration<E extends AnyEndpoint> {
  /** The table's name in saved states. */
  id: string
  row: E
  /** Fixed query besides the filters, such as the machine of the page. */
  fixed?: QueryOf<E>
  /** Its columns; a function outside the screen if they need only words and formats. */
  columns: readonly Column<ItemOf<E>>[] | ((say: Say) => readonly Column<ItemOf<E>>[])
  filters?: readonly Filter[] | ((say: Say) => readonly Filter[])
  /** The default order; users can sort by columns with `sort`. */
  order?: ListRules['initial']
  /** The link of a row. */
  placeOf?: (item: ItemOf<E>) => Place
  /** The panel of a row; by default that of the record at its link, if it has one. */
  panelOf?: (item: ItemOf<E>) => PanelKey | undefined
  /** Called when a row is opened, in place of a link or a panel. */
  onOpen?: (item: ItemOf<E>) => void
  /** Colours a row that needs attention. */
  toneOf?: (item: ItemOf<E>) => 'crit' | 'warn' | undefined
  create?: Create
  /** Further content of the title row, before the list's own button. */
  actions?: ReactNode
  bulk?: readonly BulkAction<ItemOf<E>>[]
  views?: readonly View[]
  /** Its rows can be edited as in a spreadsheet. The screen lists `editing` among its words. */
  edit?: ListEdit<ItemOf<E>>
  /** Sums of columns over all matching rows, where the list's own answer has none: as the screen knows them, or from a call with the list's filters. */
  totals?: readonly ListTotal[] | undefined
  totalsRow?: AnyEndpoint
  /** The list's name for exports; without it, the list cannot be exported. */
  exports?: ExportList
  /** Part of another screen's page: without its own title. */
  isEmbedded?: boolean
  /** The endpoint answers `next` and `previous` cursors. */
  hasCursor?: boolean
  /** Between filters and table, such as a summary of the filtered rows; as a function it receives the endpoint's filters. */
  children?: ReactNode | ((filter: Record<string, unknown>) => ReactNode)
}

/** The feature with its words `title`, `empty.title` and `empty.text`; or these as sentences. */
type Words = { words: string; title?: string; empty?: Empty } | { words?: undefined; title: string; empty: Empty }

/** Path names besides the chosen merchant. */
type Params<E> =
  object extends Omit<ParamsOf<E>, 'merchantId'>
    ? { params?: ParamsOf<E> }
    : { params: Omit<ParamsOf<E>, 'merchantId'> & { merchantId?: string } }

/** The key of a row; its `id` by default. */
type Key<T> = [T] extends [{ id: string }] ? { keyOf?: (item: T) => string } : { keyOf: (item: T) => string }

export type ListProps<E extends AnyEndpoint> = ListDeclaration<E> & Words & Params<E> & Key<ItemOf<E>>
