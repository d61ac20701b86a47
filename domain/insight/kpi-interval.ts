import { kpiIntervalDefault } from '#contract/rules/number.ts'
import { lastDays, type Period } from '../time/period.ts'

/** The last days, or a start and an end. */
export interface KpiInterval {
  days?: number | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

/**
 * The days of KPIs and rejection rates on every screen: ended days only, because today's part would make the same question give other
 * answers by the hour. Chosen days are cut at the last ended one. The end is before the start if none of them has ended.
 */
export function kpiPeriod({ days = kpiIntervalDefault, startDate, endDate }: KpiInterval, lastEnded: string): Period {
  if (!startDate || !endDate) return lastDays(days, lastEnded)
  return { startDate, endDate: endDate < lastEnded ? endDate : lastEnded }
}

/** The same where a period may be today alone: it is then read as it runs. */
export function kpiPeriodOrToday(interval: KpiInterval, lastEnded: string): Period {
  const { startDate, endDate } = interval
  return startDate && endDate && startDate > lastEnded ? { startDate, endDate } : kpiPeriod(interval, lastEnded)
}
