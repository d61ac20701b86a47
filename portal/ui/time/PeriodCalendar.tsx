import { useState } from 'react'
import { dayIn, type Period } from '#domain/time/period.ts'
import { Calendar } from './Calendar.tsx'
import { isWithin, type PeriodLimits } from './periodLimits.ts'

/** Two days of a calendar; the second click closes the range. */
export default function PeriodCalendar({
  period,
  timeZone,
  isAhead,
  limits,
  choose,
}: {
  period: Period | undefined
  timeZone: string
  isAhead: boolean
  limits?: PeriodLimits | undefined
  choose: (days: [string, string]) => void
}) {
  const [range, setRange] = useState<[string | null, string | null]>([
    period?.startDate ?? null,
    period?.endDate ?? null,
  ])
  const today = dayIn(new Date(), timeZone)
  return (
    <Calendar<'range'>
      today={today}
      type="range"
      allowSingleDateInRange
      value={range}
      defaultDate={period?.endDate ?? today}
      {...(!isAhead && { maxDate: today })}
      onChange={([start, end]) => {
        setRange([start, end])
        if (start && end && (!limits || isWithin({ startDate: start, endDate: end }, limits))) choose([start, end])
      }}
    />
  )
}
