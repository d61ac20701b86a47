import { Checkbox } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { panelText } from '#portal/app/panel.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import type { Column } from '../types.ts'
import classes from './ListCards.module.css'
import { isWithShift, openOnClick, type RowProps, rowKeys } from './ListRow.tsx'

type Props<T extends object> = RowProps<T> & {
  /** The number of cards, if only some of them are in the page. */
  count?: number
  /** Distance from the top of the cards, in pixels, if only some are in the page. */
  top?: number
}

function ListCardOnce<T extends object>(props: Props<T>) {
  const { item, columns, acts, isSelected, canSelect, canOpen, index, top } = props
  const { t } = useTranslation('list')
  const at = (card: Column<T>['card']) => columns.filter((column) => column.card === card)
  const titles = at('title')
  const badges = at('badge')
  const lines = at('line')
  const asides = at('aside')
  const rest = at(undefined)
  const open = canOpen ? (how: 'click' | 'key') => acts.open(item, how) : undefined
  const toggle = canSelect ? () => acts.toggle(item, !isSelected) : undefined
  const place = acts.placeOf(item)
  const panel = acts.panelOf(item)
  return (
    <li
      data-row={index ?? ''}
      aria-posinset={index === undefined ? undefined : index + 1}
      aria-setsize={index === undefined ? undefined : props.count}
      style={top === undefined ? undefined : { transform: `translateY(${top}px)` }}
      className={`${classes.card} ruled`}
      data-selected={isSelected}
      data-tone={acts.toneOf(item)}
      data-panel={panel && panelText(panel)}
      tabIndex={canOpen ? 0 : undefined}
      onClick={open && openOnClick(open)}
      onKeyDown={rowKeys(open, toggle)}
    >
      <div className={classes.top}>
        {canSelect && (
          <Checkbox
            size="sm"
            aria-label={t('selectRow')}
            checked={isSelected}
            onChange={(event) => acts.toggle(item, !isSelected, isWithShift(event))}
          />
        )}
        <div className={classes.title}>
          {titles.map((column) =>
            place ? (
              <PlaceLink key={column.id} place={place} className={classes.link}>
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
}

/** One row as a card. */
export const ListCard = memo(ListCardOnce) as typeof ListCardOnce
