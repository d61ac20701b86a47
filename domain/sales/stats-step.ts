import type { StatsStep } from '#contract/sales/transaction.ts'

const dayMillis = 86_400_000

/** The step that shows a period of days in a readable number of bars: hours for up to two days, then days, weeks, months. */
export function stepFor({ startDate, endDate }: { startDate: string; endDate: string }): StatsStep {
  const days = (Date.parse(endDate) - Date.parse(startDate)) / dayMillis + 1
  if (days <= 2) return 'hour'
  if (days <= 62) return 'day'
  return days <= 366 ? 'week' : 'month'
}
