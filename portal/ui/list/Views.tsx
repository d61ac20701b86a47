import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../app/i18n/format.ts'
import classes from '../Tabs.module.css'
import type { View } from './types.ts'

const written = (filters: Record<string, readonly string[]>) =>
  JSON.stringify(
    Object.entries(filters)
      .filter(([, values]) => values.length > 0)
      .map(([key, values]) => [key, [...values].sort()])
      .sort(),
  )

/** Ready choices of filters above a list, "All" first. */
export function Views({
  views,
  filters,
  choose,
}: {
  views: readonly View[]
  filters: Record<string, string[]>
  choose: (filters: Record<string, string[]>) => void
}) {
  const { t } = useTranslation('ui')
  const format = useFormat()
  const now = written(filters)
  const all: View[] = [{ id: 'all', name: t('list.all'), filters: {} }, ...views]
  return (
    <div className={classes.tabs} role="group" aria-label={t('list.views')}>
      {all.map((view) => (
        <UnstyledButton
          key={view.id}
          className={classes.tab}
          aria-pressed={written(view.filters) === now}
          onClick={() => choose(view.filters)}
        >
          {view.name}
          {view.count !== undefined && <span className={classes.count}>{format.number(view.count)}</span>}
        </UnstyledButton>
      ))}
    </div>
  )
}
