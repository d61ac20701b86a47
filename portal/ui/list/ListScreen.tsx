import { Box, Flex, UnstyledButton } from '@mantine/core'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { useEnabled, useEnabledColumns, useOfferedFilters } from '#portal/app/feature.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useLivePause } from '#portal/app/live/live.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { ScreenHeader } from '../page/ScreenHeader.tsx'
import { useInSlices } from '../page/useInSlices.ts'
import { EmptyState, ErrorState } from '../part/ErrorState.tsx'
import { lazyPart, Missing, Part } from '../part/lazyPart.tsx'
import { useIsPhone } from '../useIsPhone.ts'
import type BulkBarType from './BulkBar.tsx'
import { ChartSwitch } from './chart/ChartSwitch.tsx'
import type ListChartType from './chart/ListChart.tsx'
import type { Exported } from './export/exportOrder.ts'
import { FilterBar } from './filters/FilterBar.tsx'
import { OutsideFilters } from './filters/OutsideFilters.tsx'
import type ListEditType from './ListEdit.tsx'
import classes from './ListScreen.module.css'
import type { ItemOf, ListProps } from './listProps.ts'
import { Pager } from './Pager.tsx'
import { ListCards } from './rows/ListCards.tsx'
import { ListTable } from './rows/ListTable.tsx'
import { useRows } from './rows/useRows.ts'
import { ListSettings } from './state/ListSettings.tsx'
import { defaultSize, filtersOf, type ListRules, type ListState, lastPageOf } from './state/listState.ts'
import { useColumns } from './state/useColumns.ts'
import { useTableState } from './state/useTableState.ts'
import { useDeclared } from './useDeclared.tsx'
import { useListKeys } from './useListKeys.ts'
import { useSelection } from './useSelection.ts'
import { Views } from './views/Views.tsx'

const ListChart = lazyPart(() => import('./chart/ListChart.tsx')) as typeof ListChartType
const ListEdit = lazyPart(() => import('./ListEdit.tsx')) as typeof ListEditType
const BulkBar = lazyPart(() => import('./BulkBar.tsx')) as typeof BulkBarType

/** A list: declared by its columns and filters, framed here. */
export function ListScreen<E extends AnyEndpoint>(declared: ListProps<E>) {
  type Item = ItemOf<E>
  const props = useDeclared(declared)
  const { id, title, row, params, order, keyOf, hasCursor = false } = props
  const { t } = useTranslation('ui')
  const format = useFormat()
  const merchant = useMerchant()
  const { me } = useSession()
  const go = useGo()
  const isPhone = useIsPhone()

  const enabled = useEnabledColumns(row, props.columns)
  const filters = useOfferedFilters(row, props.filters)
  const bulk = useEnabled(props.bulk ?? none).filter(({ needs }) => me && roleMay(me.role, needs))
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
    initial: order,
    hasCursor,
    measures: columns.filter(({ number }) => number).map(({ id: column }) => column),
  })
  const rules = useMemo(() => JSON.parse(rulesText) as ListRules, [rulesText])
  const table = useTableState(id, rules, merchant)
  const { state, query: asked, change } = table
  const query = { ...asked, ...props.fixed }
  // The part above the rows is not rendered again when rows arrive.
  const { headers } = table
  const look = useMemo(() => ({ state, rules, columns, headers }), [state, rules, columns, headers])
  const setFilter = useCallback(
    (key: string, values: string[]) => change(({ filters }) => ({ filters: { ...filters, [key]: values } })),
    [change],
  )
  const clearFilters = useCallback(() => change({ filters: {} }), [change])
  const setChart = useCallback(
    (part: Partial<ListState>) => change(({ page, cursor }) => ({ ...part, page, cursor })),
    [change],
  )
  const rows = useRows<Item>(row, { params, query, isScroll: state.size === 'all', isHeld: table.isHeld })
  const { page } = rows
  const isReady = useDeferredValue(table.isReady)
  // No row is visible: the page is beyond the end, and another page is loading.
  const isBetween = page !== undefined && rows.count === 0 && page.total > 0
  const items = useInSlices(isBetween ? undefined : page?.items)
  const chosen = useColumns(columns, table.headers, table.setHeaders)
  const selection = useSelection<Item>(keyOf)
  const exported = props.exports && {
    list: props.exports,
    // A list without a merchant in its path covers all merchants.
    params: (params ?? { merchantId: allMerchants }) as Exported['params'],
    query,
    columns: chosen.shown.map(({ id: column }) => column),
    total: page?.total ?? 0,
    isCapped: page?.capped ?? false,
  }
  const [isEditing, setEditing] = useState<boolean>()
  useLivePause(selection.count > 0)

  // A page beyond the end, from an old link or after deletions, becomes the last one.
  const lastPage = page && lastPageOf(page.total, state.size)
  const isBeyond = Boolean(isBetween && !rows.isStale && lastPage && state.page > lastPage)
  useEffect(() => {
    if (isBeyond) change({ page: lastPage }, { isCorrection: true })
  }, [isBeyond, lastPage, change])

  // A selection under one merchant or filter does not apply to another.
  const scope = JSON.stringify([params, state.filters])
  // oxlint-disable-next-line react/exhaustive-deps -- cleared when the scope changes
  useEffect(() => selection.clear(), [scope])

  const open = (item: Item) => {
    if (props.onOpen) props.onOpen(item)
    else if (props.placeOf) void go(props.placeOf(item))
  }
  const goTo = (next: number) => {
    // While the previous rows are shown, their cursors are not usable.
    const { next: after, previous: before } = rows.isStale ? {} : (page ?? {})
    const cursor = next === state.page + 1 ? after : next === state.page - 1 ? before : undefined
    change({ page: next, cursor: cursor ?? undefined })
  }
  const section = useRef<HTMLElement>(null)
  const keys = useListKeys(section, {
    page,
    state,
    goTo,
    refresh: rows.refetch,
    clear: selection.clear,
    hasSelection: selection.count > 0,
    isEmbedded: props.isEmbedded ?? false,
  })

  const isFiltered = filters.some(
    ({ key, initial, initially }) => (state.filters[key] ?? []).join() !== (initial ?? initially?.join() ?? ''),
  )
  const total =
    page && (page.capped ? t('list.capped', { total: format.number(page.total) }) : format.number(page.total))
  const common = {
    ...keys,
    name: title,
    items,
    rows,
    skeletonRows: state.size === 'all' ? defaultSize : state.size,
    columns: chosen.shown,
    keyOf,
    placeOf: props.placeOf,
    open: props.onOpen || props.placeOf ? open : undefined,
    toneOf: props.toneOf,
    selection: bulk.length > 0 ? selection : undefined,
    isStale: rows.isStale,
  }
  if (props.edit && isEditing)
    return (
      <Box component="section" miw={0} aria-label={props.isEmbedded ? title : undefined}>
        {!props.isEmbedded && <ScreenHeader title={title} aside={total} />}
        <Part fallback={<Panel style={{ minHeight: skeletonHeight }} aria-busy />}>
          <ListEdit<Item>
            {...props.edit}
            key={JSON.stringify(params)}
            name={title}
            row={row}
            params={params}
            query={query}
            keyOf={keyOf}
            close={() => setEditing(false)}
          />
        </Part>
      </Box>
    )
  return (
    <Box ref={section} component="section" miw={0} aria-label={props.isEmbedded ? title : undefined}>
      {!props.isEmbedded && <ScreenHeader title={title} aside={total} actions={props.actions} />}
      {props.isEmbedded && props.actions && (
        <Flex gap="near" justify="flex-end" mb="sm">
          {props.actions}
        </Flex>
      )}
      {(props.views || filters.length > 0 || !props.isEmbedded) && (
        <Views tableId={id} views={props.views ?? none} look={look} choose={change} setHeaders={table.setHeaders} />
      )}
      <Flex rowGap="near" columnGap="md" align="flex-start" justify="space-between" mb="sm" className={classes.bar}>
        <FilterBar filters={filters} values={state.filters} set={setFilter} clear={clearFilters} total={total} />
        <Flex rowGap="near" columnGap="md" align="center" ml="auto" className={classes.side}>
          <ChartSwitch columns={columns} state={state} change={setChart} />
          <ListSettings columns={chosen} refreshedAt={rows.updatedAt} refresh={rows.refetch} exported={exported}>
            {props.edit && (
              <UnstyledButton
                // After the grid closes, the focus returns to the button that opened it.
                ref={isEditing === false ? focused : undefined}
                className={`${classes.setting} lights inks`}
                data-on-phones
                // Its space is reserved while nothing can be edited yet, so that nothing beside it moves.
                style={{ visibility: rows.count > 0 ? undefined : 'hidden' }}
                onClick={() => setEditing(true)}
              >
                {t('editing:grid.edit')}
              </UnstyledButton>
            )}
          </ListSettings>
        </Flex>
      </Flex>
      {typeof props.children === 'function' ? props.children(filtersOf(query)) : props.children}
      {state.chart !== 'none' && page && page.items.length > 0 && (
        <Part fallback={<Panel h={322} mb="sm" />}>
          <ListChart row={row} params={params} query={query} page={page} columns={columns} state={state} />
        </Part>
      )}
      {rows.error && !page ? (
        <Panel>
          <ErrorState error={rows.error} retry={rows.refetch} />
        </Panel>
      ) : page && rows.count === 0 && !isBetween ? (
        <Panel>
          {isFiltered ? (
            <EmptyState title={t('list.noMatch')} text={t('list.noMatchText')}>
              <OutsideFilters
                row={row}
                params={params}
                query={query}
                rules={rules}
                filters={state.filters}
                set={(filters) => change({ filters })}
              />
              <Box
                type="button"
                component="button"
                py="tight"
                px="near"
                bdrs="sm"
                c="gold"
                fw={550}
                className={classes.link}
                onClick={clearFilters}
              >
                {t('list.clearFilters')}
              </Box>
            </EmptyState>
          ) : (
            <EmptyState title={props.empty.title} text={props.empty.text}>
              {props.empty.action}
            </EmptyState>
          )}
        </Panel>
      ) : !isReady ? (
        <Panel style={{ minHeight: skeletonHeight }} aria-busy />
      ) : isPhone ? (
        <ListCards {...common} />
      ) : (
        <ListTable
          {...common}
          widths={chosen.widths}
          resize={chosen.resize}
          ord={state.ord}
          ordType={state.ordType}
          sort={(ord, ordType) => change({ ord, ordType })}
        />
      )}
      {page && rows.count > 0 && (
        <Pager
          page={state.page}
          size={state.size}
          shown={rows.count}
          view={rows.view}
          retry={rows.error ? rows.refetch : undefined}
          total={page.total}
          isCapped={page.capped}
          hasNext={page.next}
          goTo={goTo}
          setSize={(size) => change({ size })}
        />
      )}
      {bulk.length > 0 && selection.count > 0 && (
        <Part failed={(again) => <Missing again={again} close={selection.clear} />}>
          <BulkBar<Item>
            actions={bulk}
            selection={selection}
            keyOf={keyOf}
            total={page?.total ?? 0}
            isCapped={page?.capped ?? false}
            filters={filtersOf(query)}
          />
        </Part>
      )}
    </Box>
  )
}

const none: readonly never[] = []
const focused = (element: HTMLElement | null) => element?.focus()
/** As tall as the loading rows, so that nothing below moves when they show. */
const skeletonHeight = 900
