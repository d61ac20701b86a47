import { useTranslation } from 'react-i18next'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { usePortal } from '../app/usePortal.ts'

/** An amount; `isSigned` for money that moved: + arrived, − left. */
export function Amount({
  minor,
  currency,
  isSigned = false,
}: {
  minor: number
  currency: Currency
  isSigned?: boolean
}) {
  const { money } = useFormat()
  const sign = minor < 0 ? '\u2212' : isSigned && minor > 0 ? '+' : ''
  return (
    <span className="amount">
      {sign}
      {money(Math.abs(minor), currency)}
    </span>
  )
}

const dayMs = 86_400_000

/** A time in the merchant's zone: the hour for today, day and hour for this year, otherwise the whole date. */
export function useWhen() {
  const { t } = useTranslation('key-app')
  const { instant } = useFormat()
  const zone = usePortal().data?.timeZone ?? 'UTC'
  return (at: string | number | null | undefined, now = Date.now()): string => {
    const date = typeof at === 'number' ? new Date(at) : instantOf(at)
    if (!date) return ''
    const day = instant(date, 'day', zone)
    const time = instant(date, 'time', zone)
    if (day === instant(new Date(now), 'day', zone)) return t('today', { time })
    if (day === instant(new Date(now - dayMs), 'day', zone)) return t('yesterday', { time })
    return now - date.getTime() < 300 * dayMs ? instant(date, 'minute', zone) : day
  }
}
