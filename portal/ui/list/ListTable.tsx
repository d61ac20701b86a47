import { Checkbox } from '@mantine/core'
import { columnVisibilityFeature, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { type KeyboardEvent, type MouseEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { PlaceLink } from '../PlaceLink.tsx'
import classes from './ListTable.module.css'
import type { Column, Place } from './types.ts'
import type { Selection } from './useSelection.ts'

export interface RowsProps<T extends object> {
  /** What the table is called by assistive technology. */
  name: string
  /** Nothing while the first answer is on its way. */
  items: readonly T[] | undefined
  skeletonRows: number
  columns: readonly Column<T>[]
  keyOf: (item: T) => string
  placeOf: ((item: T) => Place) | undefined
  open: ((item: T) => void) | undefined
  toneOf: ((item: T) => 'crit' | 'warn' | undefined) | undefined
  selection: Selection<T> | undefined
  /** Shows the page before, while the next one is on its way. */
  isStale: boolean
  onRowKey: (event: KeyboardEvent<HTMLElement>) => void
}

interface Props<T extends object> extends RowsProps<T> {
  ord: string | undefined
  ordType: 'ASC' | 'DESC'
  sort: (ord: string, ordType: 'ASC' | 'DESC') => void
}

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })

const isControl = (target: EventTarget) =>
  (target as HTMLElement).closest('a, button, input, label, select, [role=button]') !== null

/** Opens a row by a click anywhere in it, unless the click was on a control or ended a selection of text. */
export const openOnClick = (open: () => void) => (event: MouseEvent) => {
  if (isControl(event.target) || globalThis.getSelection()?.toString()) return
  open()
}

/** Enter opens the focused row, x selects it. */
export const rowKeys =
  (open: (() => void) | undefined, toggle: (() => void) | undefined) => (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter' && open) open()
    else if ((event.key === 'x' || event.key === ' ') && toggle) toggle()
    else return
    event.preventDefault()
  }

/** Rows as a table. */
export function ListTable<T extends object>(props: Props<T>) {
  const { name, items, columns, keyOf, placeOf, open, toneOf, selection, isStale, ord, ordType, sort } = props
  const { t } = useTranslation('ui')
  const data = items ?? (none as readonly T[])
  const definitions = useMemo(() => columns.map(({ id }) => ({ id })), [columns])
  const rowSelection = useMemo(
    () => Object.fromEntries(data.filter((item) => selection?.has(item)).map((item) => [keyOf(item), true as const])),
    [data, selection, keyOf],
  )
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: keyOf,
    enableRowSelection: Boolean(selection),
    state: { rowSelection },
    onRowSelectionChange: (update) => {
      const next = typeof update === 'function' ? update(rowSelection) : update
      selection?.set(
        data.filter((item) => next[keyOf(item)]),
        true,
      )
      selection?.set(
        data.filter((item) => !next[keyOf(item)]),
        false,
      )
    },
  })
  const columnOf = (id: string) => columns.find((column) => column.id === id) as Column<T>

  return (
    <div className={classes.frame} aria-busy={isStale || !items}>
      <table className={classes.table} data-stale={isStale}>
        <caption className="unseen">{name}</caption>
        <thead>
          <tr>
            {selection && (
              <th className={classes.check} scope="col">
                <Checkbox
                  size="xs"
                  aria-label={t('list.selectPage')}
                  checked={table.getIsAllRowsSelected()}
                  indeterminate={table.getIsSomeRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {table.getHeaderGroups()[0]?.headers.map(({ id }) => (
              <Heading key={id} column={columnOf(id)} ord={ord} ordType={ordType} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={props.onRowKey}>
          {!items && (
            <SkeletonRows rows={Math.min(props.skeletonRows, 20)} columns={columns.length + (selection ? 1 : 0)} />
          )}
          {table.getRowModel().rows.map((row) => {
            const item = row.original
            const isSelected = row.getIsSelected()
            const doOpen = open && (() => open(item))
            return (
              <tr
                key={row.id}
                data-row
                data-selected={isSelected}
                data-tone={toneOf?.(item)}
                data-opens={Boolean(open)}
                tabIndex={open || selection ? 0 : undefined}
                aria-selected={selection ? isSelected : undefined}
                onClick={doOpen && openOnClick(doOpen)}
                onKeyDown={rowKeys(doOpen, selection && (() => row.toggleSelected()))}
              >
                {selection && (
                  <td className={classes.check}>
                    <Checkbox
                      size="xs"
                      aria-label={t('list.selectRow')}
                      checked={isSelected}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                {row.getVisibleCells().map(({ column }) => {
                  const shown = columnOf(column.id)
                  return (
                    <td key={column.id} data-align={shown.align} data-main={shown.card === 'title' || undefined}>
                      {shown.card === 'title' && placeOf ? (
                        <PlaceLink place={placeOf(item)} className={classes.title}>
                          {shown.cell(item)}
                        </PlaceLink>
                      ) : (
                        shown.cell(item)
                      )}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const none: readonly never[] = []

function Heading<T extends object>({
  column,
  ord,
  ordType,
  sort,
}: { column: Column<T> } & Pick<Props<T>, 'ord' | 'ordType' | 'sort'>) {
  const by = column.sort === true ? column.id : column.sort || undefined
  const isSorted = by !== undefined && by === ord
  const direction = ordType === 'ASC' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      data-align={column.align}
      aria-sort={isSorted ? direction : undefined}
      style={column.width ? { width: column.width } : undefined}
    >
      {by ? (
        <button
          type="button"
          className={classes.sort}
          onClick={() => sort(by, isSorted && ordType === 'ASC' ? 'DESC' : 'ASC')}
        >
          {column.name}
          <span aria-hidden className={classes.arrow} data-sorted={isSorted}>
            {isSorted && ordType === 'DESC' ? '↓' : '↑'}
          </span>
        </button>
      ) : (
        column.name
      )}
    </th>
  )
}

function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // Bars without identity.
    <tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        // Bars without identity.
        <td key={column}>
          <span className={classes.bone} style={{ width: `${45 + ((row * 7 + column * 13) % 5) * 10}%` }} />
        </td>
      ))}
    </tr>
  ))
}
