import type { Comparison } from '#contract/frame/comparison.ts'
import { addDays, daysIn, mondayOf, type Period, type PeriodPreset } from './period.ts'

/** Number of past periods in the usual, as on the dashboard. */
export const usualPeriods = 4

/** The calendar day some months later or earlier. A day that the month lacks becomes its last; a month's last day stays the last. */
function addMonths(day: string, months: number, isMonthEnd = false): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastOf = new Date(Date.UTC(year, month + months, 0, 12)).getUTCDate()
  const at = new Date(Date.UTC(year, month - 1 + months, isMonthEnd ? lastOf : Math.min(date, lastOf), 12))
  return at.toISOString().slice(0, 10)
}

const isFirst = (day: string) => day.endsWith('-01')
const isLast = (day: string) => isFirst(addDays(day, 1))
const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

const shiftDays = ({ startDate, endDate }: Period, days: number): Period => ({
  startDate: addDays(startDate, days),
  endDate: addDays(endDate, days),
})
const shiftMonths = ({ startDate, endDate }: Period, months: number): Period => ({
  startDate: addMonths(startDate, months),
  endDate: addMonths(endDate, months, isLast(endDate)),
})

/** A single day is a week or a month only if its preset says so. */
const isOfMonths = (period: Period, preset?: PeriodPreset) =>
  preset === 'thisMonth' || (isFirst(period.startDate) && (daysIn(period) >= 28 || isLast(period.endDate)))
const isWeek = (period: Period, preset?: PeriodPreset) =>
  preset === 'thisWeek' || (period.startDate === mondayOf(period.startDate) && daysIn(period) === 7)

/**
 * The periods a period is compared with, the newest first: one, or `usualPeriods` for the usual. Months are compared with months (of "this
 * month" the same days), weeks with weeks, other periods with as many days. A year before means the same dates, for weeks the same weekdays.
 */
export function comparedPeriods(comparison: Comparison, period: Period, preset?: PeriodPreset): Period[] {
  const days = daysIn(period)
  switch (comparison) {
    case 'previous': {
      if (isOfMonths(period, preset))
        return [shiftMonths(period, monthOf(period.startDate) - monthOf(period.endDate) - 1)]
      return [shiftDays(period, isWeek(period, preset) ? -7 : -days)]
    }
    case 'lastYear':
      return [isWeek(period, preset) ? shiftDays(period, -364) : shiftMonths(period, -12)]
    case 'usual': {
      const step = 7 * Math.ceil(days / 7)
      return Array.from({ length: usualPeriods }, (_, index) => shiftDays(period, -step * (index + 1)))
    }
  }
}

/**
 * Those of the compared periods that have data on each day. Data begin during `firstDay`, so that day is a part of one; null: no data. Days
 * without sales after it count as zero; days before it do not count.
 */
export const periodsWithData = (periods: readonly Period[], firstDay: string | null): Period[] =>
  firstDay === null ? [] : periods.filter(({ startDate }) => startDate > firstDay)

/** How many of the last `usualPeriods` same weekdays have data. */
export const usualDaysOf = (day: string, firstDay: string | null): number =>
  periodsWithData(comparedPeriods('usual', { startDate: day, endDate: day }), firstDay).length

/** The figure to compare with: the mean over the compared periods. A period without sales counts as zero; 0 without periods. */
export const meanOver = (values: readonly number[], periods: number): number =>
  periods === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / periods

/** The relative change of a figure; undefined if it was zero before, or less. */
export const changeOf = (value: number, before: number): number | undefined =>
  before > 0 ? value / before - 1 : undefined
