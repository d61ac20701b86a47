import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type HTMLAttributes, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Column } from '../types.ts'
import type { Selection } from '../useSelection.ts'
import { ListCard } from './ListCard.tsx'
import classes from './ListCards.module.css'
import type { RowActs } from './ListRow.tsx'
import type { Rows } from './useRows.ts'
import { overscan, rowsToDraw, useRowFocus, useRowHeight } from './useVirtualRows.ts'

interface Props<T extends object> {
  /** The name and the class of the list of cards. */
  list: HTMLAttributes<HTMLElement>
  rows: Rows<T>
  columns: readonly Column<T>[]
  acts: RowActs<T>
  selection: Selection<T> | undefined
  canSelect: boolean
  canOpen: boolean
}

/** A card of three lines, in pixels. */
const guess = 112
/** Heights in pixels of the bars over the page: the top bar, and the pager below. */
const topBar = 60
const pager = 80

/** Many rows as cards: only the cards in view are in the page, each at its position; the page itself scrolls. */
export default function VirtualCards<T extends object>({ list, rows, selection, ...card }: Props<T>) {
  const { count, look } = rows
  const root = useRef<HTMLUListElement>(null)
  const what = String(card.columns.map(({ id }) => id))
  const loaded = rows.page?.items
  const { rowHeight, isMeasured } = useRowHeight(root, { guess, what, loaded })
  const focus = useRowFocus(root)
  const [above, setAbove] = useState(0)
  // The part above the cards may change its height when rows arrive.
  useLayoutEffect(() => {
    if (loaded && root.current) setAbove(Math.round(root.current.getBoundingClientRect().top + scrollY))
  }, [loaded])
  const virtualizer = useWindowVirtualizer<Element>({
    count,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: above,
    scrollPaddingStart: topBar,
    scrollPaddingEnd: pager,
    rangeExtractor: (range) => rowsToDraw(range, focus.focused),
    useFlushSync: false,
    initialRect: { width: 0, height: 800 },
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
  useEffect(() => look(startIndex, endIndex), [look, startIndex, endIndex])

  return (
    <ul
      {...list}
      ref={root}
      data-virtual
      data-measured={isMeasured || undefined}
      style={{ height: virtualizer.getTotalSize(), '--card': `${rowHeight}px` } as CSSProperties}
      onKeyDown={focus.keysOf(virtualizer, count, rowHeight)}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const item = rows.at(index)
        const top = start - above
        return item ? (
          <ListCard
            key={index}
            index={index}
            count={count}
            top={top}
            item={item}
            isSelected={selection?.has(item) ?? false}
            {...card}
          />
        ) : (
          <li
            key={index}
            data-row={index}
            data-waiting
            aria-posinset={index + 1}
            aria-setsize={count}
            tabIndex={card.canOpen ? 0 : undefined}
            className={`${classes.card} ruled`}
            style={{ transform: `translateY(${top}px)` }}
          >
            <span className={classes.waiting} />
          </li>
        )
      })}
    </ul>
  )
}
