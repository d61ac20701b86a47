import { useTranslation } from 'react-i18next'
import type { Comparison } from '#contract/insight/comparison.ts'
import { changeOf } from '#domain/insight/comparison.ts'
import type { Period } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Delta } from '../page/Card.tsx'
import { usePeriodName } from '../time/PeriodPanel.tsx'

interface Props {
  value: number
  /** The figure to compare with; of the usual, the mean. */
  before: number
  /** More is worse, such as failed vends. */
  isLessBetter?: boolean
}

/** The change of a figure in percent; a dash if there was nothing to compare with. */
export function Change({ value, before, isLessBetter = false }: Props) {
  const { t } = useTranslation('ui')
  const { number } = useFormat()
  const ratio = changeOf(value, before)
  if (ratio === undefined)
    return value === before ? (
      <Delta ratio={0} written={number(0, percent)} />
    ) : (
      <span title={t('compare.noBase')}>–</span>
    )
  return <Delta ratio={ratio} written={number(ratio, percent)} isLessBetter={isLessBetter} />
}

const percent = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const

/** What figures are compared with, in words: "vs. 1 Nov 2026 – 7 Nov 2026". `periods` come from `comparedPeriods`. */
export function useComparedWith() {
  const { t } = useTranslation('ui')
  const { day } = useFormat()
  const nameOf = usePeriodName()
  return (comparison: Comparison, periods: readonly Period[]): string => {
    if (comparison === 'usual') return t('compare.vsUsual', { day: day(periods.at(-1)?.startDate ?? '') })
    const [only] = periods
    return only ? t('compare.vs', { period: nameOf([only.startDate, only.endDate]) }) : ''
  }
}
