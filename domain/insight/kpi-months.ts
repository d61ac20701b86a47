import { addDays, daysIn, type Period } from '../time/period.ts'

/** Days of a period as sums of months and days: those of `months` and `plus`, without those of `minus`. */
export interface KpiParts {
  /** The first days of months. */
  months: string[]
  plus: Period[]
  minus: Period[]
}

const isSome = ({ startDate, endDate }: Period) => startDate <= endDate

/**
 * Splits a period so that few days are read: of a month that the period covers in part, either its days, or the month without the others. Days
 * after `today` have no rows and cost nothing.
 */
export function kpiPartsOf(period: Period, today: string): KpiParts {
  const parts: KpiParts = { months: [], plus: [], minus: [] }
  for (let first = `${period.startDate.slice(0, 7)}-01`; first <= period.endDate; ) {
    const next = `${addDays(first, 31).slice(0, 7)}-01`
    const last = addDays(next, -1)
    const within = {
      startDate: first > period.startDate ? first : period.startDate,
      endDate: last < period.endDate ? last : period.endDate,
    }
    const others = [
      { startDate: first, endDate: addDays(within.startDate, -1) },
      { startDate: addDays(within.endDate, 1), endDate: last },
    ].filter(isSome)
    const read = others
      .map(({ startDate, endDate }) => ({ startDate, endDate: endDate < today ? endDate : today }))
      .filter(isSome)
      .reduce((sum, other) => sum + daysIn(other), 1)
    if (read < daysIn(within)) {
      parts.months.push(first)
      parts.minus.push(...others)
    } else parts.plus.push(within)
    first = next
  }
  return parts
}
