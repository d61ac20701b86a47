import { addDays, daysIn, type Period } from '../time/period.ts'

/** Spans for which KPIs are summed, the longest first. `tens`: the days 1 to 10, 11 to 20, and from 21 of a month. */
export const kpiSpans = ['year', 'month', 'tens'] as const
export type KpiSpan = (typeof kpiSpans)[number]

/** The first day of the span that contains a day. */
export function firstOf(span: KpiSpan, day: string): string {
  if (span === 'year') return `${day.slice(0, 4)}-01-01`
  if (span === 'month') return `${day.slice(0, 7)}-01`
  const date = Number(day.slice(8))
  return `${day.slice(0, 8)}${date > 20 ? '21' : date > 10 ? '11' : '01'}`
}

/** The first day after a span. */
export function endOf(span: KpiSpan, first: string): string {
  if (span === 'year') return firstOf('year', addDays(first, 366))
  if (span === 'month') return firstOf('month', addDays(first, 31))
  return firstOf('tens', addDays(first, first.endsWith('21') ? 11 : 10))
}

interface Part {
  sign: 1 | -1
  of: { span: KpiSpan; first: string } | Period
}

/** Days of a period as sums: those of the parts with sign 1 without those with sign -1. */
export interface KpiParts {
  spans: { sign: 1 | -1; span: KpiSpan; firsts: string[] }[]
  days: { sign: 1 | -1; periods: Period[] }[]
}

/** Rows that each machine has in a part, at most. */
const costOf = ({ of }: Part) => ('span' in of ? 1 : Math.max(0, daysIn(of)))
const costsOf = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + costOf(part), 0)

const overlap = (one: Period, other: Period): Period[] => {
  const startDate = one.startDate > other.startDate ? one.startDate : other.startDate
  const endDate = one.endDate < other.endDate ? one.endDate : other.endDate
  return startDate <= endDate ? [{ startDate, endDate }] : []
}

/** Parts of a period by spans of the given lengths: each span that it covers in part either by shorter ones, or as a whole without its other days. */
function partsBy([span, ...shorter]: readonly KpiSpan[], period: Period, today: string): Part[] {
  if (!span) return [{ sign: 1, of: period }]
  const parts: Part[] = []
  for (let first = firstOf(span, period.startDate); first <= period.endDate; first = endOf(span, first)) {
    const last = addDays(endOf(span, first), -1)
    const whole = { startDate: first, endDate: last < today ? last : today }
    for (const within of overlap(period, { startDate: first, endDate: last })) {
      const others = [
        ...overlap(whole, { startDate: first, endDate: addDays(within.startDate, -1) }),
        ...overlap(whole, { startDate: addDays(within.endDate, 1), endDate: last }),
      ].flatMap((other) => partsBy(shorter, other, today))
      const without: Part[] = [
        { sign: 1, of: { span, first } },
        ...others.map(({ sign, of }): Part => ({ sign: sign === 1 ? -1 : 1, of })),
      ]
      const direct = partsBy(shorter, within, today)
      parts.push(...(costsOf(without) < costsOf(direct) ? without : direct))
    }
  }
  return parts
}

/** Splits a period so that few rows are read. No day after `today` has rows. */
export function kpiPartsOf(period: Period, today: string): KpiParts {
  const parts = daysIn(period) > 0 ? partsBy(kpiSpans, period, today) : []
  const allParts: KpiParts = { spans: [], days: [] }
  for (const sign of [1, -1] as const) {
    const signed = parts.filter((part) => part.sign === sign).map(({ of }) => of)
    for (const span of kpiSpans) {
      const firsts = signed.flatMap((of) => ('span' in of && of.span === span ? [of.first] : []))
      if (firsts.length > 0) allParts.spans.push({ sign, span, firsts })
    }
    const periods = signed.flatMap((of) => ('span' in of ? [] : [of]))
    if (periods.length > 0) allParts.days.push({ sign, periods })
  }
  return allParts
}
