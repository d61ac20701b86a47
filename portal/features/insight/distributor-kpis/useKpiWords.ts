import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Began, Down, Taken, ValidatorKind } from '#contract/insight/distributor-kpis.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import { mcbfOf } from '#domain/insight/cycles.ts'
import { useFormat } from '#portal/app/i18n/format.ts'

export const shareOf = (seconds: number, whole: number) => (whole > 0 ? seconds / whole : null)

/** KPIs in words and numbers of the reader's language. */
export function useKpiWords() {
  const { t } = useTranslation('distributor-kpis')
  const format = useFormat()
  return useMemo(() => {
    const percent = (share: number | null) => (share === null ? t('none') : format.percent(share, 1))
    return {
      percent,
      rate: (counts: Taken) => {
        const rate = rejectionRate(counts)
        return percent(rate === null ? null : rate / 100)
      },
      hours: (seconds: number) => t('hours', { number: format.number(seconds / 3600, { maximumFractionDigits: 1 }) }),
      blocked: ({ blockedSeconds, seconds }: Down) => percent(shareOf(blockedSeconds, seconds)),
      absent: ({ absentSeconds, seconds }: Down) => percent(shareOf(absentSeconds, seconds)),
      mcbf: ({ cycles, faults }: Began) => {
        const { cycles: mean, isMore } = mcbfOf(cycles, faults)
        if (cycles === 0 && faults === 0) return t('none')
        return isMore ? t('moreThan', { number: format.number(mean) }) : format.number(mean)
      },
      validator: (kind: ValidatorKind, version: string | null) => `${t(kind)} · ${version ?? t('unknown')}`,
    }
  }, [t, format])
}
