import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Began, Down, Taken } from '#contract/insight/distributor-kpis.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Column } from '#portal/ui/list/types.ts'
import { BandBadge } from './BandBadge.tsx'
import { shareOf, useKpiWords } from './useKpiWords.ts'

/** Columns of figures that lists of machines and of merchants have. */
export function useFigureColumns<T extends Taken & Down & Began>(): Column<T>[] {
  const { t } = useTranslation('distributor-kpis')
  const { number } = useFormat()
  const words = useKpiWords()
  return useMemo(
    (): Column<T>[] => [
      {
        id: 'rejectionRate',
        name: t('column.rejectionRate'),
        sort: true,
        align: 'end',
        card: 'badge',
        number: (one) => rejectionRate(one),
        unit: 'percent',
        cell: (one) => <BandBadge taken={one} />,
      },
      {
        id: 'rejected',
        name: t('column.rejected'),
        sort: true,
        align: 'end',
        number: ({ rejected }) => rejected,
        cell: ({ rejected }) => number(rejected),
      },
      {
        id: 'accepted',
        name: t('column.accepted'),
        align: 'end',
        isHidden: true,
        number: ({ accepted }) => accepted,
        cell: ({ accepted }) => number(accepted),
      },
      {
        id: 'blocked',
        name: t('column.blocked'),
        sort: true,
        align: 'end',
        number: ({ blockedSeconds, seconds }) => 100 * (shareOf(blockedSeconds, seconds) ?? 0),
        unit: 'percent',
        cell: (one) => words.blocked(one),
      },
      {
        id: 'absent',
        name: t('column.absent'),
        sort: true,
        align: 'end',
        number: ({ absentSeconds, seconds }) => 100 * (shareOf(absentSeconds, seconds) ?? 0),
        unit: 'percent',
        cell: (one) => words.absent(one),
      },
      { id: 'mcbf', name: t('column.mcbf'), sort: true, align: 'end', cell: (one) => words.mcbf(one) },
      {
        id: 'blockingAlarms',
        name: t('column.blockingAlarms'),
        align: 'end',
        isHidden: true,
        number: ({ blockingAlarms }) => blockingAlarms,
        cell: ({ blockingAlarms }) => number(blockingAlarms),
      },
    ],
    [t, number, words],
  )
}
