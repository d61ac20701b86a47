import { type ChangeEvent, type CSSProperties, type KeyboardEvent, type MouseEvent, memo, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { type PanelKey, panelText } from '../../../app/panel.ts'
import type { Place } from '../../../app/place.ts'
import { rangeOf } from '../rangeOf.ts'
import type { Column } from '../types.ts'
import classes from './ListTable.module.css'
import type { Rows } from './useRows.ts'

/** Actions and appearance of a row, with stable identity, so that a row is rendered only when it changes. */
export interface RowActs<T extends object> {
  open: (item: T, how: 'click' | 'key') => void
  /** Selects or deselects the row; as a range, also the rows up to the last one selected. */
  toggle: (item: T, isSelected: boolean, isRange?: boolean) => void
  placeOf: (item: T) => Place | undefined
  panelOf: (item: T) => PanelKey | undefined
  toneOf: (item: T) => 'crit' | 'warn' | undefined
}

interface ActProps<T extends object> {
  open: ((item: T, how: 'click' | 'key') => void) | undefined
  selection: { set: (items: readonly T[], isSelected: boolean) => void } | undefined
  rows: Pick<Rows<T>, 'count' | 'at'>
  keyOf: (item: T) => string
  placeOf: ((item: T) => Place) | undefined
  panelOf: (item: T) => PanelKey | undefined
  toneOf: ((item: T) => 'crit' | 'warn' | undefined) | undefined
}

/** Handlers that keep their identity and call the list's latest ones. */
export function useRowActs<T extends object>(props: ActProps<T>): RowActs<T> {
  const latest = useRef(props)
  latest.current = props
  const anchor = useRef<string>(undefined)
  return useMemo(
    () => ({
      open: (item, how) => latest.current.open?.(item, how),
      toggle: (item, isSelected, isRange) => {
        const { rows, keyOf, selection } = latest.current
        const from = anchor.current
        const to = keyOf(item)
        anchor.current = to
        selection?.set((isRange && from && rangeOf(rows, keyOf, from, to)) || [item], isSelected)
      },
      placeOf: (item) => latest.current.placeOf?.(item),
      panelOf: (item) => latest.current.panelOf(item),
      toneOf: (item) => latest.current.toneOf?.(item),
    }),
    [],
  )
}

export interface RowProps<T extends object> {
  item: T
  columns: readonly Column<T>[]
  acts: RowActs<T>
  isSelected: boolean
  canSelect: boolean
  canOpen: boolean
  /** Its position among all rows, from 0; given if only some of them are in the page. */
  index?: number
}

const isControl = (target: EventTarget) =>
  (target as HTMLElement).closest('a, button, input, label, select, [role=button]') !== null

/** Whether a checkbox was clicked with the shift key. */
export const isWithShift = ({ nativeEvent }: ChangeEvent) => (nativeEvent as globalThis.MouseEvent).shiftKey

type Open = (how: 'click' | 'key') => void

/**
 * Opens a row by a click anywhere in it, unless the click was on a control or ended a selection of text. With Ctrl or the middle button the
 * row's link opens in another tab.
 */
export const openOnClick = (open: Open) => (event: MouseEvent) => {
  // A dialog of the row is elsewhere in the page.
  if (!event.currentTarget.contains(event.target as Node)) return
  if (isControl(event.target) || globalThis.getSelection()?.toString()) return
  const isApart = event.ctrlKey || event.metaKey || event.button === 1
  const link = isApart && event.currentTarget.querySelector<HTMLAnchorElement>(`a.${classes.title}`)
  if (link) globalThis.open(link.href)
  else if (event.button === 0) open('click')
}

/** Enter opens the focused row, x selects it. */
export const rowKeys =
  (open: Open | undefined, toggle: (() => void) | undefined) => (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter' && open) open('key')
    else if ((event.key === 'x' || event.key === ' ') && toggle) toggle()
    else return
    event.preventDefault()
  }

function ListRowOnce<T extends object>(props: RowProps<T> & { style?: CSSProperties }) {
  const { item, columns, acts, isSelected, canSelect, canOpen, index } = props
  const { t } = useTranslation(['ui', 'list'])
  const open = canOpen ? (how: 'click' | 'key') => acts.open(item, how) : undefined
  const toggle = canSelect ? () => acts.toggle(item, !isSelected) : undefined
  const place = acts.placeOf(item)
  const panel = acts.panelOf(item)
  return (
    <tr
      data-row={index ?? ''}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-selected={isSelected}
      data-tone={acts.toneOf(item)}
      data-opens={canOpen}
      data-panel={panel && panelText(panel)}
      tabIndex={canOpen || canSelect ? 0 : undefined}
      aria-selected={canSelect ? isSelected : undefined}
      onClick={open && openOnClick(open)}
      onAuxClick={open && openOnClick(open)}
      onKeyDown={rowKeys(open, toggle)}
    >
      {canSelect && (
        <td className={`${classes.check} no-print`}>
          <input
            type="checkbox"
            className={classes.tick}
            aria-label={t('list:selectRow')}
            checked={isSelected}
            onChange={(event) => acts.toggle(item, !isSelected, isWithShift(event))}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-align={column.align}
          data-main={(column.card === 'title' && column.width === undefined) || undefined}
          data-narrow={(column.width !== undefined && column.width < 150) || undefined}
        >
          {column.card === 'title' && place ? (
            <PlaceLink place={place} {...(panel && { panel })} className={`${classes.title} quiet`}>
              {column.cell(item)}
            </PlaceLink>
          ) : (
            column.cell(item)
          )}
        </td>
      ))}
    </tr>
  )
}

/** One row of a table. */
export const ListRow = memo(ListRowOnce) as typeof ListRowOnce
