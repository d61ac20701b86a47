import { z } from 'zod'
import { always, type RuleName, saying } from '../frame/broken.ts'
import { Day } from '../frame/shapes.ts'

export const MinimumZero = z.number().min(0)
export const GreaterThanZero = z.number().positive()
/** A number between two bounds, both included. */
export const numberBetween = (minValue: number, maxValue: number) => z.number().min(minValue).max(maxValue)
/** A whole number between two bounds, both included. */
export const wholeBetween = (minValue: number, maxValue: number) => z.int().min(minValue).max(maxValue)

/** Days over which KPIs are computed. */
export const kpiIntervalDefault = 30
export const kpiIntervalLimits = { minDays: 2, maxDays: 365 } as const
export const KpiInterval = wholeBetween(kpiIntervalLimits.minDays, kpiIntervalLimits.maxDays)

type Comparable = number | string
const compares = {
  smallerThan: (one: Comparable, other: Comparable) => one < other,
  greaterThan: (one: Comparable, other: Comparable) => one > other,
  smallerOrEqual: (one: Comparable, other: Comparable) => one <= other,
} as const satisfies Partial<Record<RuleName, (one: Comparable, other: Comparable) => boolean>>

/**
 * A field against another of the same object: `schema.check(comparing('warning', 'smallerThan', 'critical'))`. Numbers are
 * compared as numbers, days and instants as text, which is their order. Where one of the two is missing there is nothing to say.
 */
export const comparing = <T extends Record<string, unknown>>(
  field: keyof T & string,
  how: keyof typeof compares,
  other: keyof T & string,
) =>
  z.superRefine<T>((values, context) => {
    const one = values[field]
    const against = values[other]
    const isOrdered =
      (typeof one === 'number' && typeof against === 'number') ||
      (typeof one === 'string' && one !== '' && typeof against === 'string' && against !== '')
    if (isOrdered && !compares[how](one as Comparable, against as Comparable))
      context.addIssue({ code: 'custom', ...saying(how, { other: against }), path: [field] })
  }, always)

const inOrder = <T extends Comparable>({ from, to }: { from: T | null; to: T | null }) =>
  from === null || to === null || from <= to
const atItsEnd = { ...saying('range'), path: ['to'] }

/** Two numbers, the second not below the first; either may be open. */
export const NumberRange = z
  .strictObject({ from: z.number().nullable(), to: z.number().nullable() })
  .refine(inOrder<number>, atItsEnd)

/** Calendar days, both included; the end may not lie before the start. */
export const DayRange = z
  .strictObject({ startDate: Day, endDate: Day })
  .refine(({ startDate, endDate }) => startDate <= endDate, saying('range'))

const dayMs = 86_400_000

/** Both days or neither, with a maximum number of days, both included. */
export const daysBetween = ({ minDays, maxDays }: { minDays: number; maxDays: number }) =>
  z.superRefine<{ startDate?: string | undefined; endDate?: string | undefined }>(({ startDate, endDate }, context) => {
    const add = (rule: ReturnType<typeof saying>) =>
      context.addIssue({ code: 'custom', ...rule, path: [startDate === undefined ? 'startDate' : 'endDate'] })
    if (startDate === undefined && endDate === undefined) return
    if (startDate === undefined || endDate === undefined) return add(saying('required'))
    const days = (Date.parse(endDate) - Date.parse(startDate)) / dayMs + 1
    if (days < 1) return add(saying('range'))
    if (days < minDays || days > maxDays) add(saying('interval', { minDays, maxDays }))
  })
