import { useState } from 'react'
import { dayIn, type Period } from '#domain/period.ts'
import { Calendar } from './Calendar.tsx'

/** Two days of a calendar, the second click closing the range. */
export default function PeriodCalendar({
  period,
  timeZone,
  isAhead,
  choose,
}: {
  period: Period | undefined
  timeZone: string
  isAhead: boolean
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
        if (start && end) choose([start, end])
      }}
    />
  )
}
