import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Delta } from '#portal/ui/page/Card.tsx'

interface Props {
  /** Shares from 0 to 1, or counts; null without data. */
  now: number | null
  before: number | null
  /** Shares differ by percentage points, counts by percent. */
  kind: 'share' | 'count'
  isLessBetter?: boolean
}

/** The change against the days before; nothing without data on both sides. */
export function Trend({ now, before, kind, isLessBetter = true }: Props) {
  const { t } = useTranslation('distributor-kpis')
  const { number, percent } = useFormat()
  if (now === null || before === null || (kind === 'count' && before === 0)) return null
  const change = kind === 'share' ? now - before : now / before - 1
  const signed = { signDisplay: 'exceptZero', maximumFractionDigits: 1 } as const
  const written =
    kind === 'share'
      ? t('points', { points: number(change * 100, signed) })
      : `${change > 0 ? '+' : ''}${percent(change, 0)}`
  // A tenth of a point is a change of a rate.
  return <Delta ratio={kind === 'share' ? change * 10 : change} written={written} isLessBetter={isLessBetter} />
}
