import { Box, Flex, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { machines } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { ScreenHeader } from '../page/ScreenHeader.tsx'
import { EmptyState, ErrorState } from '../part/ErrorState.tsx'
import { lazyPart, Part, PartFailure } from '../part/lazyPart.tsx'
import { useIsPhone } from '../useIsPhone.ts'
import type BulkBarType from './BulkBar.tsx'
import { ChartSwitch } from './chart/ChartSwitch.tsx'
import type ListChartType from './chart/ListChart.tsx'
import { FilterBar } from './filters/FilterBar.tsx'
import { OutsideFilters } from './filters/OutsideFilters.tsx'
import type ListEditType from './ListEdit.tsx'
import classes from './ListScreen.module.css'
import type { ItemOf, ListProps } from './listProps.ts'
import { Pager } from './Pager.tsx'
import { ListCards } from './rows/ListCards.tsx'
import { ListTable } from './rows/ListTable.tsx'
import { TotalCard } from './rows/ListTotals.tsx'
import { ListSettings } from './state/ListSettings.tsx'
import { filtersOf } from './state/listState.ts'
import { type List, useList } from './useList.ts'
import { Views } from './views/Views.tsx'

const ListChart = lazyPart(() => import('./chart/ListChart.tsx')) as typeof ListChartType
const ListEdit = lazyPart(() => import('./ListEdit.tsx')) as typeof ListEditType
const BulkBar = lazyPart(() => import('./BulkBar.tsx')) as typeof BulkBarType

/** A list: declared by its columns and filters, framed here. */
export function ListScreen<E extends AnyEndpoint>(declared: ListProps<E>) {
  const list = useList(declared)
  const { title, isEmbedded, actions, children, section, total, query, table, rows } = list
  const { page } = rows
  if (list.edit && list.isEditing) return <EditedList list={list} />
  return (
    <Box ref={section} component="section" miw={0} aria-label={isEmbedded ? title : undefined}>
      {!isEmbedded && <ScreenHeader title={title} aside={total} actions={actions} />}
      {isEmbedded && actions && (
        <Flex gap="near" justify="flex-end" mb="sm">
          {actions}
        </Flex>
      )}
      <ListBar list={list} />
      {typeof children === 'function' ? children(filtersOf(query)) : children}
      {table.state.chart !== 'none' && page && page.items.length > 0 && (
        <Part fallback={<Panel h={322} mb="sm" />}>
          <ListChart
            row={list.row}
            params={list.params}
            query={query}
            page={page}
            columns={list.columns}
            state={table.state}
          />
        </Part>
      )}
      <ListRows list={list} />
      {page && rows.count > 0 && (
        <Pager
          page={table.state.page}
          size={table.state.size}
          rowCount={rows.count}
          view={rows.view}
          retry={rows.error ? rows.refetch : undefined}
          total={page.total}
          isCapped={page.capped}
          hasNext={page.next}
          goTo={list.goTo}
          setSize={(size) => table.change({ size })}
        />
      )}
      {list.bulk.length > 0 && list.selection.count > 0 && (
        <Part failed={(again) => <PartFailure again={again} close={list.selection.clear} />}>
          <BulkBar<ItemOf<E>>
            actions={list.bulk}
            selection={list.selection}
            keyOf={list.keyOf}
            total={page?.total ?? 0}
            isCapped={page?.capped ?? false}
            filters={filtersOf(query)}
          />
        </Part>
      )}
    </Box>
  )
}

interface PartProps<E extends AnyEndpoint> {
  list: List<E>
}

/** The rows in a grid, to be edited as in a spreadsheet. */
function EditedList<E extends AnyEndpoint>({ list }: PartProps<E>) {
  const { edit, title, isEmbedded, row, params, query, keyOf } = list
  if (!edit) return null
  return (
    <Box component="section" miw={0} aria-label={isEmbedded ? title : undefined}>
      {!isEmbedded && <ScreenHeader title={title} aside={list.total} />}
      <Part fallback={<Panel style={{ minHeight: skeletonHeight }} aria-busy />}>
        <ListEdit<ItemOf<E>>
          {...edit}
          key={JSON.stringify(params)}
          name={title}
          row={row}
          params={params}
          query={query}
          keyOf={keyOf}
          close={() => list.setEditing(false)}
        />
      </Part>
    </Box>
  )
}

/** Views, filters and settings above the rows. */
function ListBar<E extends AnyEndpoint>({ list }: PartProps<E>) {
  const { id, views, filters, isEmbedded, look, total, columns, rows } = list
  const { state, change, setHeaders } = list.table
  return (
    <>
      {(views || filters.length > 0 || !isEmbedded) && (
        <Views tableId={id} views={views ?? none} look={look} choose={change} setHeaders={setHeaders} />
      )}
      <Flex rowGap="near" columnGap="md" align="flex-start" justify="space-between" mb="sm" className={classes.bar}>
        <FilterBar
          filters={filters}
          values={state.filters}
          set={list.setFilter}
          clear={list.clearFilters}
          total={total}
        />
        <Flex rowGap="near" columnGap="md" align="center" ml="auto" className={classes.side}>
          <ChartSwitch columns={columns} state={state} change={list.setChart} />
          <ListSettings
            columns={list.columnSet}
            refreshedAt={rows.updatedAt}
            refresh={rows.refetch}
            exported={list.exported}
          >
            {list.edit && <EditButton list={list} />}
          </ListSettings>
        </Flex>
      </Flex>
    </>
  )
}

function EditButton<E extends AnyEndpoint>({ list }: PartProps<E>) {
  const { t } = useTranslation()
  return (
    <UnstyledButton
      // After the grid closes, the focus returns to the button that opened it.
      ref={list.isEditing === false ? focused : undefined}
      className={`${classes.setting} lights inks`}
      data-on-phones
      // Its space is reserved while nothing can be edited yet, so that nothing beside it moves.
      style={{ visibility: list.rows.count > 0 ? undefined : 'hidden' }}
      onClick={() => list.setEditing(true)}
    >
      {t('editing:grid.edit')}
    </UnstyledButton>
  )
}

/** The rows as a table, or on phones as cards; in their place an error, or why there are none. */
function ListRows<E extends AnyEndpoint>({ list }: PartProps<E>) {
  const isPhone = useIsPhone()
  const { rows, isBetween, rowsProps, columnSet } = list
  const { state, change } = list.table
  if (rows.error && !rows.page)
    return (
      <Panel>
        <ErrorState error={rows.error} retry={rows.refetch} />
      </Panel>
    )
  if (rows.page && rows.count === 0 && !isBetween)
    return (
      <Panel>
        <EmptyList list={list} />
      </Panel>
    )
  if (!list.isReady) return <Panel style={{ minHeight: skeletonHeight }} aria-busy />
  if (isPhone)
    return (
      <>
        <ListCards {...rowsProps} />
        {rows.count > 0 && <TotalCard totals={rowsProps.totals} columns={rowsProps.columns} />}
      </>
    )
  return (
    <ListTable
      {...rowsProps}
      widths={columnSet.widths}
      resize={columnSet.resize}
      ord={state.ord}
      ordType={state.ordType}
      sort={(ord, ordType) => change({ ord, ordType })}
    />
  )
}

/** Without rows: none match the filters, with ways out, or none exist. */
function EmptyList<E extends AnyEndpoint>({ list }: PartProps<E>) {
  const { t } = useTranslation(['ui', 'list'])
  const { empty, row, params, query, rules, table, clearFilters } = list
  const merchant = useMerchant()
  const isOfMachines = ofMachines.has(row.needs)
  const { data: counts, isLoading } = useQuery({
    ...queryOf(machines.countMachines, { params: { merchantId: merchant.id } }),
    enabled: isOfMachines,
  })
  // Whether there is any machine is known before the list says that all is well.
  if (isLoading) return waiting
  if (counts?.total === 0)
    return (
      <Part fallback={waiting}>
        <NoMachines />
      </Part>
    )
  if (!list.isFiltered)
    return (
      <EmptyState title={empty.title} text={empty.text}>
        {empty.action}
      </EmptyState>
    )
  return (
    <EmptyState title={t('list:noMatch')} text={t('list:noMatchText')}>
      <OutsideFilters
        row={row}
        params={params}
        query={query}
        rules={rules}
        filters={table.state.filters}
        set={(filters) => table.change({ filters })}
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
        {t('list:clearFilters')}
      </Box>
    </EmptyState>
  )
}

/** Lists whose rows come from machines: without any machine they say so, and not that all is well. */
const ofMachines: ReadonlySet<string> = new Set([
  'machine.read',
  'alarm.read',
  'transaction.read',
  'audit.read',
  'collection.read',
  'remoteCommand.read',
])
const NoMachines = lazyPart(() => import('../part/NoMachines.tsx'), ['first-steps'])

/** Until the list knows what to say about its emptiness. */
const waiting = <Box mih={240} aria-busy />

const none: readonly never[] = []
const focused = (element: HTMLElement | null) => element?.focus()
/** As tall as the loading rows, so that nothing below moves when they show. */
const skeletonHeight = 900
