import { useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { rowQuery } from '#portal/app/api.ts'
import { useEnabled, useEnabledColumns, useOfferedFilters } from '#portal/app/feature.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useLivePause } from '#portal/app/live/live.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { type PanelKey, panelOfPlace, useOpenPanel } from '#portal/app/panel.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import type { Place } from '../../app/place.ts'
import { useInSlices } from '../page/useInSlices.ts'
import { useIsPhone } from '../useIsPhone.ts'
import type { ExportedList } from './export/exportOrder.ts'
import type { ItemOf, ListProps } from './listProps.ts'
import { type Rows, useRows } from './rows/useRows.ts'
import { defaultSize, filtersOf, type ListRules, type ListState, lastPageOf } from './state/listState.ts'
import { useColumns } from './state/useColumns.ts'
import { useTableState } from './state/useTableState.ts'
import type { BulkAction, Column, Filter } from './types.ts'
import { useDeclared } from './useDeclared.tsx'
import { useListKeys } from './useListKeys.ts'
import { useSelection } from './useSelection.ts'

const none: readonly never[] = []
const noTotals: readonly ListTotal[] = []

type TableState = ReturnType<typeof useTableState>
type Declaration<E extends AnyEndpoint> = ReturnType<typeof useDeclared<E>>

interface Parts<T> {
  columns: readonly Column<T>[]
  filters: readonly Filter[]
  bulk?: readonly BulkAction<T>[] | undefined
  order?: ListRules['initial']
  hasCursor?: boolean | undefined
}

/** The parts of a declared list that the user and the merchant may use, and the rules of its address. */
function useAllowedParts<T>(row: AnyEndpoint, declared: Parts<T>) {
  const merchant = useMerchant()
  const { me } = useSession()
  const enabled = useEnabledColumns(row, declared.columns)
  const filters = useOfferedFilters(row, declared.filters)
  const bulk = useEnabled(declared.bulk ?? none).filter(({ needs }) => me && roleMay(me.role, needs))
  const columns = useMemo(
    () => enabled.filter(({ isForAll }) => !isForAll || merchant.isAll),
    [enabled, merchant.isAll],
  )
  const ords = columns
    .map(({ id: column, sort }) => (sort === true ? column : sort))
    .filter((ord) => typeof ord === 'string')
  const rulesText = JSON.stringify({
    ords,
    filters: filters.map(({ key, kind, values, isFree, initial, initially }) => ({
      key,
      kind,
      values,
      initial,
      initially,
      ...(isFree && { isFree }),
    })),
    initial: declared.order,
    hasCursor: declared.hasCursor ?? false,
    measures: columns.filter(({ number }) => number).map(({ id: column }) => column),
  })
  const rules = useMemo(() => JSON.parse(rulesText) as ListRules, [rulesText])
  return { columns, filters, bulk, rules }
}

/** What changes a list's state; each keeps its identity, so that the part above the rows is not rendered again when rows arrive. */
function useStateActs(change: TableState['change']) {
  const setFilter = useCallback(
    (key: string, values: string[]) => change(({ filters }) => ({ filters: { ...filters, [key]: values } })),
    [change],
  )
  const clearFilters = useCallback(() => change({ filters: {} }), [change])
  const setChart = useCallback(
    (part: Partial<ListState>) => change(({ page, cursor }) => ({ ...part, page, cursor })),
    [change],
  )
  return { setFilter, clearFilters, setChart }
}

/** A page beyond the end, from an old link or after deletions, becomes the last one. */
function useLastPage<T>({ page, isStale }: Rows<T>, { state, change }: TableState, isBetween: boolean) {
  const lastPage = page && lastPageOf(page.total, state.size)
  const isBeyond = Boolean(isBetween && !isStale && lastPage && state.page > lastPage)
  useEffect(() => {
    if (isBeyond) change({ page: lastPage }, { isCorrection: true })
  }, [isBeyond, lastPage, change])
}

/** The rows of a list's current state, and the selection among them. */
function useListRows<E extends AnyEndpoint>(declaration: Declaration<E>, table: TableState) {
  const { row, params, keyOf } = declaration
  const { state } = table
  const query = { ...table.query, ...declaration.fixed }
  const rows = useRows<ItemOf<E>>(row, { params, query, isScroll: state.size === 'all', isHeld: table.isHeld })
  const { page } = rows
  // No row is visible: the page is beyond the end, and another page is loading.
  const isBetween = page !== undefined && rows.count === 0 && page.total > 0
  const items = useInSlices(isBetween ? undefined : page?.items)
  const selection = useSelection<ItemOf<E>>(keyOf)
  useLivePause(selection.count > 0)
  useLastPage(rows, table, isBetween)

  const { totalsRow } = declaration
  const { data: summed } = useQuery({
    ...rowQuery(totalsRow ?? row, { params, query: filtersOf(query) }),
    enabled: totalsRow !== undefined && !table.isHeld,
  })
  const totals =
    declaration.totals ?? (totalsRow ? (summed as readonly ListTotal[] | undefined) : page?.totals) ?? noTotals

  // A selection under one merchant or filter does not apply to another.
  const scope = JSON.stringify([params, state.filters])
  // oxlint-disable-next-line react/exhaustive-deps -- cleared when the scope changes
  useEffect(() => selection.clear(), [scope])
  return { query, rows, isBetween, items, selection, totals }
}

/** The number of matching rows, as text. */
function useTotal(page: { total: number; capped: boolean } | undefined): string | undefined {
  const { t } = useTranslation(['ui', 'list'])
  const format = useFormat()
  return (
    page && (page.capped ? t('list:pages.capped', { total: format.number(page.total) }) : format.number(page.total))
  )
}

/** Opens a page by its number, through the current page's cursors where it has them. */
const pageOpener =
  <T>(rows: Rows<T>, { state, change }: TableState) =>
  (next: number) => {
    // While the previous rows are shown, their cursors are not usable.
    const { next: after, previous: before } = rows.isStale ? {} : (rows.page ?? {})
    const cursor = next === state.page + 1 ? after : next === state.page - 1 ? before : undefined
    change({ page: next, cursor: cursor ?? undefined })
  }

interface Openings<T> {
  onOpen: ((item: T) => void) | undefined
  placeOf: ((item: T) => Place) | undefined
  panelOf: ((item: T) => PanelKey | undefined) | undefined
}

/** How rows open: a click shows the panel of the row, Enter its page. Without a panel, or on a phone, both open the page. */
function useOpening<T>({ onOpen, placeOf, panelOf: declaredPanelOf }: Openings<T>) {
  const go = useGo()
  const show = useOpenPanel()
  const isPhone = useIsPhone()
  const panelOf = declaredPanelOf ?? ((item: T) => placeOf && panelOfPlace(placeOf(item)))
  const open = (item: T, how: 'click' | 'key') => {
    const panel = panelOf(item)
    const place = placeOf?.(item)
    if (onOpen) onOpen(item)
    else if (panel && (!place || (how === 'click' && !isPhone))) show(panel)
    else if (place) void go(place)
  }
  return { panelOf, open: onOpen || placeOf || declaredPanelOf ? open : undefined }
}

/** Everything that a list shows and does. */
export function useList<E extends AnyEndpoint>(declared: ListProps<E>) {
  type Item = ItemOf<E>
  const declaration = useDeclared(declared)
  const { id, title, row, params, keyOf, placeOf, onOpen, toneOf, isEmbedded = false } = declaration
  const merchant = useMerchant()
  const allowed = useAllowedParts<Item>(row, declaration)
  const { columns, filters, bulk, rules } = allowed
  const table = useTableState(id, rules, merchant)
  const { state, change, headers } = table
  const look = useMemo(() => ({ state, rules, columns, headers }), [state, rules, columns, headers])
  const stateActs = useStateActs(change)
  const content = useListRows(declaration, table)
  const { rows, query, selection } = content
  const columnSet = useColumns(columns, headers, table.setHeaders)
  const [isEditing, setEditing] = useState<boolean>()

  const goTo = pageOpener(rows, table)
  const section = useRef<HTMLElement>(null)
  const keys = useListKeys(section, {
    page: rows.page,
    state,
    goTo,
    refresh: rows.refetch,
    clear: selection.clear,
    hasSelection: selection.count > 0,
    isEmbedded,
  })
  const opening = useOpening<Item>({ onOpen, placeOf, panelOf: declaration.panelOf })
  return {
    ...declaration,
    ...allowed,
    ...stateActs,
    ...content,
    table,
    look,
    columnSet,
    goTo,
    section,
    isEditing,
    setEditing,
    isEmbedded,
    isReady: useDeferredValue(table.isReady),
    total: useTotal(rows.page),
    isFiltered: filters.some(
      ({ key, initial, initially }) => (state.filters[key] ?? []).join() !== (initial ?? initially?.join() ?? ''),
    ),
    exported: declaration.exports && {
      list: declaration.exports,
      // A list without a merchant in its path covers all merchants.
      params: (params ?? { merchantId: allMerchants }) as ExportedList['params'],
      query,
      columns: columnSet.visibleColumns.map(({ id: column }) => column),
      total: rows.page?.total ?? 0,
      isCapped: rows.page?.capped ?? false,
    },
    /** What a table and cards of the rows have in common. */
    rowsProps: {
      ...keys,
      name: title,
      items: content.items,
      rows,
      skeletonRows: state.size === 'all' ? defaultSize : state.size,
      columns: columnSet.visibleColumns,
      keyOf,
      placeOf,
      ...opening,
      toneOf,
      selection: bulk.length > 0 ? selection : undefined,
      isStale: rows.isStale,
      totals: content.totals,
    },
  }
}

export type List<E extends AnyEndpoint> = ReturnType<typeof useList<E>>
