import { Checkbox } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import type { PanelKey } from '../../../app/panel.ts'
import type { Place } from '../../../app/place.ts'
import { Heading, type Sorting } from '../Heading.tsx'
import { useColumnWidths } from '../state/useColumnWidths.ts'
import { useFixedWidths } from '../state/useFixedWidths.ts'
import type { Column } from '../types.ts'
import type { Selection } from '../useSelection.ts'
import { ListRow, useRowActs } from './ListRow.tsx'
import classes from './ListTable.module.css'
import { TotalRows } from './ListTotals.tsx'
import { virtualFrom } from './rowWindow.ts'
import type { Rows } from './useRows.ts'
import type VirtualRowsType from './VirtualRows.tsx'

export interface RowsProps<T extends object> {
  /** The table's name for screen readers. */
  name: string
  /** Undefined until the first answer. */
  items: readonly T[] | undefined
  /** Rows by position, including loading rows. */
  rows: Rows<T>
  skeletonRows: number
  columns: readonly Column<T>[]
  keyOf: (item: T) => string
  placeOf: ((item: T) => Place) | undefined
  panelOf: (item: T) => PanelKey | undefined
  open: ((item: T, how: 'click' | 'key') => void) | undefined
  toneOf: ((item: T) => 'crit' | 'warn' | undefined) | undefined
  selection: Selection<T> | undefined
  /** Shows the previous page while the next one loads. */
  isStale: boolean
  onRowKey: (event: KeyboardEvent<HTMLElement>) => void
  /** Of all matching rows. */
  totals: readonly ListTotal[]
}

interface Props<T extends object> extends RowsProps<T>, Sorting {
  /** In pixels, as set by the user. */
  widths: ReadonlyMap<string, number> | undefined
  resize: (widths: ReadonlyMap<string, number>) => void
}

const VirtualRows = lazyPart(() => import('./VirtualRows.tsx')) as typeof VirtualRowsType

/** As in the stylesheet. */
const checkWidth = 44

/** Rows as a table. */
export function ListTable<T extends object>(props: Props<T>) {
  const { name, items, columns, keyOf, open, selection, isStale, ord, ordType, sort } = props
  const { t } = useTranslation(['ui', 'errors', 'list'])
  const acts = useRowActs(props)
  const data = items ?? (none as readonly T[])

  const width = columns.length + (selection ? 1 : 0)
  const box = useRef<HTMLDivElement>(null)
  const tableElement = useRef<HTMLTableElement>(null)
  const isVirtual = props.rows.isScroll || data.length > virtualFrom
  const fixed = useFixedWidths(tableElement, columns)
  const columnWidths = useColumnWidths({ table: tableElement, columns, saved: props.widths, save: props.resize })
  const widths = columnWidths.layout ?? (isVirtual ? fixed.layout : undefined)

  return (
    <div ref={box} className={classes.frame} aria-busy={isStale || !items} data-virtual={isVirtual || undefined}>
      <table
        ref={tableElement}
        className={classes.table}
        data-stale={isStale}
        data-fixed={widths !== undefined || undefined}
        style={widths ? { minWidth: widths.least + (selection ? checkWidth : 0) } : undefined}
        aria-rowcount={isVirtual ? props.rows.count + 1 : undefined}
      >
        <caption className="unseen">{name}</caption>
        {widths && (
          <colgroup>
            {selection && <col style={{ width: checkWidth }} />}
            {columns.map(({ id }) => (
              <col key={id} style={{ width: widths.of(id) }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {selection && <PageCheck items={data} selection={selection} />}
            {columns.map((column) => (
              <Heading
                key={column.id}
                column={column}
                ord={ord}
                ordType={ordType}
                sort={sort}
                edge={columnWidths.edgeOf(column.id)}
                isSizedByTable={widths !== undefined}
              />
            ))}
          </tr>
        </thead>
        {isVirtual && items ? (
          <Part
            fallback={
              <tbody>
                <SkeletonRows rows={20} columns={width} />
              </tbody>
            }
            failed={(again) => (
              <tbody>
                <tr>
                  <td colSpan={width}>
                    <ErrorState isSmall text={t('errors:Unreachable')} retry={again} />
                  </td>
                </tr>
              </tbody>
            )}
          >
            <VirtualRows
              box={box}
              rows={props.rows}
              columns={columns}
              acts={acts}
              selection={selection}
              canOpen={Boolean(open)}
              onDrawn={fixed.measure}
            />
          </Part>
        ) : (
          <tbody onKeyDown={props.onRowKey}>
            {!items && <SkeletonRows rows={Math.min(props.skeletonRows, 20)} columns={width} />}
            {data.map((item) => (
              <ListRow
                key={keyOf(item)}
                item={item}
                columns={columns}
                acts={acts}
                isSelected={selection?.has(item) ?? false}
                canSelect={Boolean(selection)}
                canOpen={Boolean(open)}
              />
            ))}
          </tbody>
        )}
        {items && items.length > 0 && (
          <TotalRows totals={props.totals} columns={columns} hasChecks={Boolean(selection)} />
        )}
      </table>
    </div>
  )
}

/** Selects all rows of the page. */
function PageCheck<T>({ items, selection }: { items: readonly T[]; selection: Selection<T> }) {
  const { t } = useTranslation(['ui', 'list'])
  const isAll = items.length > 0 && items.every((item) => selection.has(item))
  return (
    <th className={`${classes.check} no-print`} scope="col">
      <Checkbox
        size="xs"
        aria-label={t('list:selectPage')}
        // Before there are rows, a click would do nothing.
        disabled={items.length === 0}
        checked={isAll}
        indeterminate={!isAll && items.some((item) => selection.has(item))}
        onChange={() => selection.set(items, !isAll)}
      />
    </th>
  )
}

const none: readonly never[] = []

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
