import type { ReadingPoint, ReadingSeries } from '#contract/machines/reading.ts'
import { instantsOf, offsetAt, startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays, type Period } from '#domain/time/period.ts'
import { instantOf } from '#portal/app/i18n/format.ts'
import type { TimePoint } from '#portal/ui/chart/timeChartProps.ts'

/** Periods offered, in hours. */
export const spans = { day: 24, week: 7 * 24, month: 30 * 24, quarter: 90 * 24 } as const
export type SpanName = keyof typeof spans

const minute = 60_000
/** Periods end on such a step, so that the same query is repeated for some minutes. */
export const stepMs = 5 * minute
export const hourMs = 60 * minute

/** The period of this many hours up to now, rounded up. */
export function spanBefore(hours: number, now: number): { from: number; to: number } {
  const to = Math.ceil(now / stepMs) * stepMs
  return { from: to - hours * hourMs, to }
}

/** The period of whole days of a zone's calendar. */
export const spanOfPeriod = ({ startDate, endDate }: Period, timeZone: string) => ({
  from: startOfLocalDay(startDate, timeZone),
  to: startOfLocalDay(addDays(endDate, 1), timeZone),
})

/** A zone's clock time at an instant, in milliseconds as if it were UTC; and back. */
export const wallOf = (instant: number, timeZone: string) => instant + offsetAt(instant, timeZone)
export const instantAt = (wall: number, timeZone: string) => instantsOf(wall, timeZone)[0]

const pointOf = ({ at, ...point }: ReadingPoint, timeZone: string): TimePoint => ({
  ...point,
  at: wallOf((instantOf(at) as Date).getTime(), timeZone),
})

/** The points of a whole period, with those of a finer part inserted; `step` is the coarsest, in milliseconds. */
export function joined(whole: ReadingSeries, part: ReadingSeries | undefined): { points: TimePoint[]; step: number } {
  const step = whole.stepSeconds * 1000
  const all = whole.points.map((point) => pointOf(point, whole.timeZone))
  if (!part || part.stepSeconds >= whole.stepSeconds) return { points: all, step }
  const [from, to] = [part.from, part.to].map((at) => wallOf((instantOf(at) as Date).getTime(), whole.timeZone)) as [
    number,
    number,
  ]
  const fine = part.points.map((point) => pointOf(point, whole.timeZone))
  const before = all.filter(({ at }) => at + step <= from)
  const after = all.filter(({ at }) => at >= to)
  return { points: [...before, ...fine, ...after], step }
}

/**
 * The distance of two points, in milliseconds, from which a point is missing between them: machines measure at their
 * own rate.
 */
export function gapOf(points: readonly TimePoint[], step: number): number {
  const distances = points.slice(1).map(({ at }, index) => at - (points[index] as TimePoint).at)
  const usual = distances.toSorted((one, other) => one - other)[Math.floor(distances.length / 2)] ?? 0
  return 2.5 * Math.max(step, usual)
}

/** The points of a part, and their summary. */
export function summaryOf(points: readonly TimePoint[], [from, to]: readonly [number, number], step: number) {
  const visiblePoints = points.filter(({ at }) => at + step > from && at <= to)
  if (visiblePoints.length === 0) return undefined
  return {
    points: visiblePoints,
    min: Math.min(...visiblePoints.map(({ min }) => min)),
    max: Math.max(...visiblePoints.map(({ max }) => max)),
    avg: visiblePoints.reduce((sum, { avg }) => sum + avg, 0) / visiblePoints.length,
  }
}

/** Half as long, twice as long, or moved by half of itself, within the whole period. */
export function moved(
  [from, to]: readonly [number, number],
  how: 'in' | 'out' | 'earlier' | 'later',
  whole: { from: number; to: number },
): [number, number] {
  const length = to - from
  const nextLength = Math.min(
    whole.to - whole.from,
    Math.max(30 * minute, how === 'in' ? length / 2 : how === 'out' ? length * 2 : length),
  )
  const middle = (from + to) / 2 + (how === 'earlier' ? -length / 2 : how === 'later' ? length / 2 : 0)
  const begin = Math.min(Math.max(whole.from, middle - nextLength / 2), whole.to - nextLength)
  return [begin, begin + nextLength]
}
