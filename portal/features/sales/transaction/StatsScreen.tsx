import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { oneOf } from '#portal/app/search.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import tabs from '../../../ui/page/Tabs.module.css'
import { StatsByPos } from './StatsByPos.tsx'
import { StatsOfPeriod } from './StatsOfPeriod.tsx'

const views = ['byPeriod', 'byPos'] as const

/** Sums of transactions: over time, and by point of sale. Both views share their filters. */
export default function StatsScreen() {
  const { t } = useTranslation('transaction')
  const search = useAddressQuery()
  const go = useGo()
  const currentView = oneOf(search, 'by') === 'pos' ? 'byPos' : 'byPeriod'
  const show = (view: (typeof views)[number]) =>
    void go({ here: { by: view === 'byPos' ? 'pos' : undefined, page: undefined } })
  return (
    <>
      <ScreenHeader title={t('stats.title')} />
      <div className={tabs.tabs} role="group" aria-label={t('stats.parts')}>
        {views.map((view) => (
          <UnstyledButton
            key={view}
            className={tabs.tab}
            aria-pressed={view === currentView}
            onClick={() => show(view)}
          >
            {t(`stats.${view}`)}
          </UnstyledButton>
        ))}
      </div>
      {currentView === 'byPos' ? <StatsByPos /> : <StatsOfPeriod />}
    </>
  )
}
