import { daysIn, type Period } from '#domain/time/period.ts'

/** Maximum length of a period in days, both ends included. */
export interface PeriodLimits {
  minDays: number
  maxDays: number
}

export const isWithin = (period: Period, { minDays, maxDays }: PeriodLimits) =>
  daysIn(period) >= minDays && daysIn(period) <= maxDays
