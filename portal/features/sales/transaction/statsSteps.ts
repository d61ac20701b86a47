import { type PeriodSums, type StatsStep, statsSteps } from '#contract/sales/transaction.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { addDays, chartPeriod, daysIn, mondayOf, type Period } from '#domain/time/period.ts'

/** The maximum number of readable bars; steps with more bars are not offered. */
const mostSteps = 750

/**
 * A step's place in the calendar: the day, and the hour if the step is one. Local time of the merchant, as the server
 * sends it.
 */
const startOf = (day: string, step: StatsStep): string =>
  step === 'week' ? mondayOf(day) : step === 'month' ? `${day.slice(0, 7)}-01` : day

/** All steps of a period in order, including those without sales. */
export function stepsOf(period: Period, step: StatsStep): string[] {
  const days = Array.from({ length: daysIn(period) }, (_, index) => addDays(period.startDate, index))
  if (step === 'hour')
    return days.flatMap((day) => Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}:00`))
  return [...new Set(days.map((day) => startOf(day, step)))]
}

/** The steps of a chart. This week has all its seven days; a month in the future has none. */
export const chartStepsOf = (period: Period, preset: string | undefined, step: StatsStep): string[] =>
  stepsOf(step === 'month' ? period : chartPeriod(preset, period), step)

/** The steps that make a readable chart of a period. */
export const stepsFor = (period: Period): StatsStep[] =>
  statsSteps.filter((step) => step !== 'hour' || daysIn(period) * 24 <= mostSteps)

/** Local time in a zone in the format of steps: `2026-11-21T14:00`. */
export function localHour(now: Date, timeZone: string): string {
  const written = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).format(now)
  return `${written.slice(0, 10)}T${written.slice(11, 13)}:00`
}

/** Index of the current step, or undefined when it is outside the period. */
export function currentStep(steps: readonly string[], step: StatsStep, now: Date, timeZone: string) {
  const hour = localHour(now, timeZone)
  const start = step === 'hour' ? hour : startOf(hour.slice(0, 10), step)
  const index = steps.indexOf(start)
  return index === -1 ? undefined : index
}

/** One value for each step: zero for a past step without rows, null for a future one. Several rows of a step are added up. */
export function valuesOf(
  steps: readonly string[],
  series: readonly PeriodSums[],
  measure: (sums: PeriodSums) => number,
  current: number | undefined,
): (number | null)[] {
  const sums = new Map<string, number>()
  for (const row of series) sums.set(row.start, (sums.get(row.start) ?? 0) + measure(row))
  return steps.map((start, index) => {
    const isAhead = current !== undefined && index > current
    return isAhead && !sums.has(start) ? null : (sums.get(start) ?? 0)
  })
}

const styles = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  hourOfDay: { weekday: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** The labels of steps in a language; hours of several days show their day. */
export function stepNames(steps: readonly string[], step: StatsStep, language: string): string[] {
  const isOneDay = steps.at(0)?.slice(0, 10) === steps.at(-1)?.slice(0, 10)
  const style = styles[step === 'hour' && !isOneDay ? 'hourOfDay' : step]
  const format = new Intl.DateTimeFormat(localeOf(language), { ...style, timeZone: 'UTC' })
  return steps.map((start) => format.format(new Date(`${start.length > 10 ? start : `${start}T00:00`}Z`)))
}
