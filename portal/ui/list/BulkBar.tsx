import { Menu, Text, UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { mostSelected } from '#contract/frame/selection.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useIsPhone } from '../useIsPhone.ts'
import classes from './BulkBar.module.css'
import { mostScrolled } from './state/listState.ts'
import type { BulkAction, BulkSelection } from './types.ts'
import type { Selection } from './useSelection.ts'

interface Props<T> {
  actions: readonly BulkAction<T>[]
  selection: Selection<T>
  keyOf: (item: T) => string
  /** Rows that match the filters. */
  total: number
  /** Counting stopped at `total`. */
  isCapped: boolean
  /** The endpoint query that the rows match. */
  filters: Record<string, unknown>
}

/** The actions on the selected rows: a dark bar with their number. */
export default function BulkBar<T>({ actions, selection, keyOf, total, isCapped, filters }: Props<T>) {
  const { t } = useTranslation('editing')
  const format = useFormat()
  const { count, items, matching } = selection
  const summary = matching
    ? t(matching.except.size > 0 ? 'editing:bulk.someMatching' : 'editing:bulk.allMatching', {
        count,
        number: format.number(count),
        total: format.number(matching.total),
      })
    : t('editing:bulk.selected', { count, number: format.number(count) })
  const bulkSelection: BulkSelection<T> = matching
    ? { kind: 'matching', filters, count, except: [...matching.except] }
    : { kind: 'rows', items, ids: items.map(keyOf) }
  // Actions take as many rows as the server counts for them.
  const isTooLong = isCapped || total > mostScrolled
  const canGrow = !matching && !isTooLong && count < total
  const isFull = !matching && count >= mostSelected
  const tooMany = actions.find(({ most }) => most !== undefined && count > most)
  const hint = tooMany
    ? t('editing:bulk.tooMany', { action: tooMany.name, number: format.number(tooMany.most ?? 0) })
    : isFull
      ? t('editing:bulk.full', { number: format.number(mostSelected) })
      : isTooLong && !matching
        ? t('editing:bulk.capped', { number: format.number(Math.min(total, mostScrolled)) })
        : undefined
  const isPhone = useIsPhone()
  const places = isPhone ? 3 : 5
  const [visibleActions, more] =
    actions.length <= places + 1 ? [actions, []] : [actions.slice(0, places), actions.slice(places)]
  const start = ({ run }: BulkAction<T>) => run(bulkSelection, selection.clear)
  const isOff = ({ most }: BulkAction<T>) => most !== undefined && count > most
  return (
    <div className={`${classes.bar} no-print`} role="toolbar" aria-label={t('editing:bulk.name')}>
      <strong aria-live="polite">{summary}</strong>
      {canGrow && (
        <UnstyledButton className={classes.quiet} onClick={() => selection.selectMatching(total)}>
          {t('editing:bulk.selectMatching', { count: total, number: format.number(total) })}
        </UnstyledButton>
      )}
      {hint && (
        <Text span px={9} fz="sm" opacity={0.8} className={classes.hint}>
          {hint}
        </Text>
      )}
      {visibleActions.map((action) => (
        <UnstyledButton
          key={action.key}
          className={classes.action}
          data-danger={action.isDanger}
          disabled={isOff(action)}
          onClick={() => start(action)}
        >
          {action.icon}
          {action.name}
        </UnstyledButton>
      ))}
      {more.length > 0 && (
        // Of the screen, not beside its landmarks.
        <Menu position="top-end" portalProps={{ target: 'main' }}>
          <Menu.Target>
            <UnstyledButton className={classes.action}>
              <IconDots size={16} aria-hidden />
              {t('editing:bulk.more')}
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map((action) => (
              <Menu.Item
                key={action.key}
                leftSection={action.icon}
                color={action.isDanger ? 'var(--crit)' : undefined}
                disabled={isOff(action)}
                onClick={() => start(action)}
              >
                {action.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <UnstyledButton
        className={classes.quiet}
        onClick={selection.clear}
        aria-label={`Esc: ${t('editing:bulk.clear')}`}
      >
        Esc
      </UnstyledButton>
    </div>
  )
}
