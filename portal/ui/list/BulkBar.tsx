import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../app/i18n/format.ts'
import { toast } from '../toast.tsx'
import classes from './BulkBar.module.css'
import type { BulkAction } from './types.ts'
import type { Selection } from './useSelection.ts'

interface Props<T> {
  actions: readonly BulkAction<T>[]
  selection: Selection<T>
  total: number
  isCapped: boolean
  /** At most so many rows can be gathered at once. */
  most: number
  selectAll: () => Promise<void>
}

/** What can be done with the selected rows: a dark bar that counts them. */
export function BulkBar<T>({ actions, selection, total, isCapped, most, selectAll }: Props<T>) {
  const { t } = useTranslation('ui')
  const format = useFormat()
  const [isGathering, setGathering] = useState(false)
  const count = selection.items.length
  const canGrow = !isCapped && count < total && total <= most
  const gather = async () => {
    setGathering(true)
    await selectAll().catch(toast.error)
    setGathering(false)
  }
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('bulk.name')}>
      <strong aria-live="polite">{t('bulk.selected', { count, number: format.number(count) })}</strong>
      {canGrow && (
        <UnstyledButton className={classes.quiet} disabled={isGathering} onClick={() => void gather()}>
          {t('bulk.all', { count: total, number: format.number(total) })}
        </UnstyledButton>
      )}
      {actions.map(({ key, name, icon, isDanger, run }) => (
        <UnstyledButton
          key={key}
          className={classes.action}
          data-danger={isDanger}
          onClick={() => run(selection.items, selection.clear)}
        >
          {icon}
          {name}
        </UnstyledButton>
      ))}
      <UnstyledButton className={classes.quiet} onClick={selection.clear} aria-label={`Esc: ${t('bulk.clear')}`}>
        Esc
      </UnstyledButton>
    </div>
  )
}
