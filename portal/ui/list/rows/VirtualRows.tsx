import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useFormat } from '#portal/app/i18n/format.ts'
import { usePreference } from '#portal/app/theme/preferences.ts'
import type { Column } from '../types.ts'
import type { Selection } from '../useSelection.ts'
import { InView } from './InView.tsx'
import { ListRow, type RowActs } from './ListRow.tsx'
import classes from './ListTable.module.css'
import type { View } from './rowWindow.ts'
import type { Rows } from './useRows.ts'
import { overscan, rowsToDraw, useRowFocus, useRowHeight, useRowsInFull } from './useVirtualRows.ts'

interface Props<T extends object> {
  /** The scroll container; the table's head sticks to its top. */
  box: RefObject<HTMLDivElement | null>
  rows: Rows<T>
  columns: readonly Column<T>[]
  acts: RowActs<T>
  selection: Selection<T> | undefined
  canOpen: boolean
  /** Called once loaded rows are in the page. */
  onDrawn: () => void
}

/** As in the stylesheet. */
const headHeight = 38
const guess = { dense: 54, comfortable: 64 }

/** The body of a long table: only the rows in view are in the page, between two gaps as tall as the other rows. */
export default function VirtualRows<T extends object>(props: Props<T>) {
  const { box, rows, columns, acts, selection, canOpen } = props
  const { count, look } = rows
  const [density] = usePreference('density', 'dense')
  const body = useRef<HTMLTableSectionElement>(null)
  const what = `${density} ${columns.map(({ id }) => id)}`
  const { rowHeight, isMeasured } = useRowHeight(body, {
    guess: guess[density],
    what,
    loaded: rows.page?.items,
    onDrawn: props.onDrawn,
  })
  const focus = useRowFocus(body)
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    rangeExtractor: (range) => rowsToDraw(range, focus.focused),
    useFlushSync: false,
    initialRect: { width: 0, height: 800 },
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
  useEffect(() => look(startIndex, endIndex), [look, startIndex, endIndex])

  const width = columns.length + (selection ? 1 : 0)
  const drawn = virtualizer.getVirtualItems()
  const full = useRowsInFull(
    drawn.map(({ index }) => index),
    { startIndex, isScrolling: virtualizer.isScrolling, isBackward: virtualizer.scrollDirection === 'backward' },
  )
  const inFull = drawn.filter(({ index }) => full.has(index))
  const end = inFull.at(-1)?.end ?? headHeight
  let filled = headHeight
  return (
    <tbody
      ref={body}
      data-scrolling={virtualizer.isScrolling || undefined}
      style={isMeasured ? ({ '--row': `${rowHeight}px` } as CSSProperties) : undefined}
      onKeyDown={focus.keysOf(virtualizer, count, rowHeight)}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
    >
      {inFull.flatMap(({ index, start, end: bottom }, place) => {
        const item = rows.at(index)
        const gap = start - filled
        filled = bottom
        return [
          gap > 0 && <Gap key={`gap ${place}`} height={gap} width={width} />,
          item ? (
            <ListRow
              key={index}
              index={index}
              item={item}
              columns={columns}
              acts={acts}
              isSelected={selection?.has(item) ?? false}
              canSelect={Boolean(selection)}
              canOpen={canOpen}
            />
          ) : (
            <WaitingRow key={index} index={index} height={rowHeight} width={width} isFocusable={canOpen} />
          ),
        ]
      })}
      <Gap height={virtualizer.getTotalSize() + headHeight - end} width={width}>
        {inFull.length === 0 && <Whereabouts view={rows.view} rowCount={count} />}
      </Gap>
    </tbody>
  )
}

/** Placeholder of rows out of view or passing fast: empty, so that nothing has to be painted. */
const Gap = ({ height, width, children }: { height: number; width: number; children?: ReactNode }) => (
  <tr aria-hidden className={classes.gap}>
    <td colSpan={width} style={{ height }}>
      {children}
    </td>
  </tr>
)

/** Shown while rows scroll too fast to be drawn. */
function Whereabouts({ view, rowCount }: { view: View; rowCount: number }) {
  const format = useFormat()
  return (
    <div className={classes.whereabouts}>
      <InView view={view} rowCount={rowCount} total={format.number(rowCount)} />
    </div>
  )
}

/** A loading row. */
function WaitingRow(props: { index: number; height: number; width: number; isFocusable: boolean }) {
  const { index, height, width, isFocusable } = props
  return (
    <tr
      data-row={index}
      data-waiting
      aria-rowindex={index + 2}
      tabIndex={isFocusable ? 0 : undefined}
      style={{ height }}
    >
      {Array.from({ length: width }, (_, column) => (
        // Bars without identity.
        <td key={column}>
          <span className={classes.bone} style={{ width: `${45 + ((index * 7 + column * 13) % 5) * 10}%` }} />
        </td>
      ))}
    </tr>
  )
}
