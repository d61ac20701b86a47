import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { ListCard } from './ListCard.tsx'
import classes from './ListCards.module.css'
import { useRowActs } from './ListRow.tsx'
import type { RowsProps } from './ListTable.tsx'
import { virtualFrom } from './rowWindow.ts'
import type VirtualCardsType from './VirtualCards.tsx'

const VirtualCards = lazyPart(() => import('./VirtualCards.tsx')) as typeof VirtualCardsType

/** Rows as cards, on a phone: title and badge, a line, then the other values with the main number at the end. */
export function ListCards<T extends object>(props: RowsProps<T>) {
  const { name, items, columns, keyOf, open, selection, isStale, skeletonRows, rows } = props
  const acts = useRowActs(props)
  const common = { columns, acts, canSelect: Boolean(selection), canOpen: Boolean(open) }
  const list = { className: classes.cards, 'aria-label': name, 'aria-busy': isStale || !items, 'data-stale': isStale }
  const bones = Array.from({ length: Math.min(8, skeletonRows) }, (_, index) => (
    // Bars without identity.
    <li key={index} className={classes.bone} aria-hidden />
  ))
  if (items && (rows.isScroll || items.length > virtualFrom))
    return (
      <Part fallback={<ul {...list}>{bones}</ul>}>
        <VirtualCards list={list} rows={rows} selection={selection} {...common} />
      </Part>
    )
  return (
    <ul {...list} onKeyDown={props.onRowKey}>
      {!items && bones}
      {items?.map((item) => (
        <ListCard key={keyOf(item)} item={item} isSelected={selection?.has(item) ?? false} {...common} />
      ))}
    </ul>
  )
}
