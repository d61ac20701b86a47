import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PlaceLink } from '../PlaceLink.tsx'
import classes from './ListCards.module.css'
import { openOnClick, rowKeys } from './ListRow.tsx'
import type { RowsProps } from './ListTable.tsx'
import type { Column } from './types.ts'

/** Rows as cards, on a phone: title and badge, a line, then what is left with the number that matters at its end. */
export function ListCards<T extends object>({
  name,
  items,
  columns,
  keyOf,
  placeOf,
  open,
  toneOf,
  selection,
  isStale,
  onRowKey,
  skeletonRows,
}: RowsProps<T>) {
  const { t } = useTranslation('ui')
  const at = (card: Column<T>['card']) => columns.filter((column) => column.card === card)
  const [titles, badges, lines, asides, rest] = [at('title'), at('badge'), at('line'), at('aside'), at(undefined)]
  return (
    <ul
      className={classes.cards}
      aria-label={name}
      aria-busy={isStale || !items}
      data-stale={isStale}
      onKeyDown={onRowKey}
    >
      {!items &&
        Array.from({ length: Math.min(8, skeletonRows) }, (_, index) => (
          // Bars without identity.
          <li key={index} className={classes.bone} aria-hidden />
        ))}
      {items?.map((item) => {
        const doOpen = open && (() => open(item))
        const isSelected = selection?.has(item) ?? false
        return (
          <li
            key={keyOf(item)}
            data-row
            className={classes.card}
            data-selected={isSelected}
            data-tone={toneOf?.(item)}
            tabIndex={open ? 0 : undefined}
            onClick={doOpen && openOnClick(doOpen)}
            onKeyDown={rowKeys(doOpen, selection && (() => selection.set([item], !isSelected)))}
          >
            <div className={classes.top}>
              {selection && (
                <Checkbox
                  size="sm"
                  aria-label={t('list.selectRow')}
                  checked={isSelected}
                  onChange={() => selection.set([item], !isSelected)}
                />
              )}
              <div className={classes.title}>
                {titles.map((column) =>
                  placeOf ? (
                    <PlaceLink key={column.id} place={placeOf(item)} className={classes.link}>
                      {column.cell(item)}
                    </PlaceLink>
                  ) : (
                    <span key={column.id}>{column.cell(item)}</span>
                  ),
                )}
              </div>
              {badges.map((column) => (
                <span key={column.id}>{column.cell(item)}</span>
              ))}
            </div>
            {lines.length > 0 && (
              <div className={classes.line}>
                {lines.map((column) => (
                  <span key={column.id}>{column.cell(item)}</span>
                ))}
              </div>
            )}
            {(rest.length > 0 || asides.length > 0) && (
              <div className={classes.bottom}>
                <dl className={classes.rest}>
                  {rest.map((column) => (
                    <div key={column.id} className={classes.fact}>
                      <dt>{column.name}</dt>
                      <dd>{column.cell(item)}</dd>
                    </div>
                  ))}
                </dl>
                <span className={classes.aside}>
                  {asides.map((column) => (
                    <span key={column.id}>{column.cell(item)}</span>
                  ))}
                </span>
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
