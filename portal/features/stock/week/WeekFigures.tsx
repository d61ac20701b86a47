import { useTranslation } from 'react-i18next'
import type { WeekRound } from '#contract/stock/week-plan.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { sumsOf } from './sumsOf.ts'

/** What the chosen stops of the week amount to. */
export function WeekFigures({ rounds, currency }: { rounds: readonly WeekRound[]; currency: Currency }) {
  const { t } = useTranslation('week-plan')
  const format = useFormat()
  const { stops, pieces, lostSales } = sumsOf(rounds.flatMap((round) => round.stops))
  return (
    <StatCards>
      <StatCard label={t('figure.rounds')} value={format.number(rounds.length)} />
      <StatCard label={t('figure.stops')} value={format.number(stops)} />
      <StatCard label={t('figure.pieces')} value={format.number(pieces)} />
      <StatCard
        label={t('figure.lostSales')}
        value={<Amount minor={lostSales} currency={currency} />}
        note={t('figure.estimate')}
      />
    </StatCards>
  )
}
