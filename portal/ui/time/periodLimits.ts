import { daysIn, type Period } from '#domain/time/period.ts'

/** How many days may be chosen, both ends counted. */
export interface PeriodLimits {
  minDays: number
  maxDays: number
}

export const isWithin = (period: Period, { minDays, maxDays }: PeriodLimits) =>
  daysIn(period) >= minDays && daysIn(period) <= maxDays
