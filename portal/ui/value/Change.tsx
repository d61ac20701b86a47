import { useTranslation } from 'react-i18next'
import type { Comparison } from '#contract/frame/comparison.ts'
import { changeOf } from '#domain/time/comparison.ts'
import type { Period } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { usePeriodName } from '../time/PeriodPanel.tsx'

interface Props {
  value: number
  /** The figure to compare with; of the usual, the mean. */
  before: number
  /** Shares from 0 to 1 differ by percentage points, everything else by percent. */
  isShare?: boolean
  /** More is worse, such as failed vends. */
  isLessBetter?: boolean
}

/** A change against the usual, with sign and colour: green is better. */
export const Delta = ({
  ratio,
  written,
  isLessBetter = false,
}: {
  ratio: number
  written: string
  isLessBetter?: boolean
}) => {
  const isFlat = Math.abs(ratio) < 0.005
  const tone = isFlat ? 'ink-2' : ratio > 0 !== isLessBetter ? 'ok' : 'crit'
  return <span style={{ color: `var(--${tone})`, fontWeight: 550 }}>{written}</span>
}

/** The change of a figure; a dash if there was nothing to compare with. */
export function Change({ value, before, isShare = false, isLessBetter = false }: Props) {
  const { t } = useTranslation('ui')
  const { number } = useFormat()
  if (isShare) {
    const points = (value - before) * 100
    const written = t('compare.points', { points: number(points, signed) })
    // A tenth of a point is a change of a rate.
    return <Delta ratio={points / 10} written={written} isLessBetter={isLessBetter} />
  }
  const ratio = changeOf(value, before)
  if (ratio === undefined)
    return value === before ? (
      <Delta ratio={0} written={number(0, percent)} />
    ) : (
      <span title={t('compare.noBase')}>–</span>
    )
  return <Delta ratio={ratio} written={number(ratio, percent)} isLessBetter={isLessBetter} />
}

const signed = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
const percent = { ...signed, style: 'percent' } as const

/** What figures are compared with, in words: "vs. 1 Nov 2026 – 7 Nov 2026". `periods` are the compared periods with data. */
export function useComparedWith() {
  const { t } = useTranslation('ui')
  const { day, number } = useFormat()
  const nameOf = usePeriodName()
  return (comparison: Comparison, periods: readonly Period[]): string => {
    const [only] = periods
    if (!only) return t('compare.noData')
    if (comparison === 'usual')
      return t('compare.vsUsual', {
        count: periods.length,
        number: number(periods.length),
        day: day(periods.at(-1)?.startDate ?? ''),
      })
    return t('compare.vs', { period: nameOf([only.startDate, only.endDate]) })
  }
}
