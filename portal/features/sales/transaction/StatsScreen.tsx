import { UnstyledButton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { oneOf, type Search } from '#portal/app/search.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import tabs from '../../../ui/page/Tabs.module.css'
import { StatsByPos } from './StatsByPos.tsx'
import { StatsOfPeriod } from './StatsOfPeriod.tsx'

const views = ['byPeriod', 'byPos'] as const

/** Sums of transactions: over time, and by point of sale. Both views share their filters. */
export default function StatsScreen() {
  const { t } = useTranslation('transaction')
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const shown = oneOf(search, 'by') === 'pos' ? 'byPos' : 'byPeriod'
  const show = (view: (typeof views)[number]) =>
    void navigate({
      to: '.',
      search: { ...search, by: view === 'byPos' ? 'pos' : undefined, page: undefined },
    } as never)
  return (
    <>
      <ScreenHeader title={t('stats.title')} />
      <div className={tabs.tabs} role="group" aria-label={t('stats.parts')}>
        {views.map((view) => (
          <UnstyledButton key={view} className={tabs.tab} aria-pressed={view === shown} onClick={() => show(view)}>
            {t(`stats.${view}`)}
          </UnstyledButton>
        ))}
      </div>
      {shown === 'byPos' ? <StatsByPos /> : <StatsOfPeriod />}
    </>
  )
}
