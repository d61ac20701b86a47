import heading from './Heading.module.css'

/** The order of a table: a column, or that of its answer. */
export interface TableOrder<Ord extends string> {
  ord: Ord | null
  ordType: 'ASC' | 'DESC'
}

interface Props<Ord extends string> extends TableOrder<Ord> {
  /** The column's own order. */
  by: Ord
  name: string
  className?: string | undefined
  /** Names rise first, numbers fall first. */
  isText?: boolean
  sort: (order: TableOrder<Ord>) => void
}

/** The heading of a column. A click sorts by it, a second one turns the order around, a third one restores the table's own order. */
export function SortHeading<Ord extends string>({
  by,
  name,
  className,
  isText = false,
  ord,
  ordType,
  sort,
}: Props<Ord>) {
  const isSorted = by === ord
  const first = isText ? 'ASC' : 'DESC'
  const second = isText ? 'DESC' : 'ASC'
  const next = (): TableOrder<Ord> => {
    if (!isSorted) return { ord: by, ordType: first }
    return ordType === first ? { ord: by, ordType: second } : { ord: null, ordType: 'DESC' }
  }
  return (
    <th
      scope="col"
      className={[heading.heading, className].filter(Boolean).join(' ')}
      data-align={isText ? undefined : 'end'}
      aria-sort={isSorted ? (ordType === 'ASC' ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className={`${heading.sort} inks`}
        style={{ position: 'relative' }}
        onClick={() => sort(next())}
      >
        <span className={heading.name}>{name}</span>
        <span
          aria-hidden
          className={heading.arrow}
          data-sorted={isSorted}
          // In the space between columns, so that they stay as narrow as their content.
          style={{ position: 'absolute', [isText ? 'right' : 'left']: -5 }}
        >
          {isSorted && ordType === 'DESC' ? '↓' : '↑'}
        </span>
      </button>
    </th>
  )
}
