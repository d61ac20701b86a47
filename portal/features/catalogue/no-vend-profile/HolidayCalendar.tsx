import { Calendar } from '#portal/ui/time/Calendar.tsx'

interface Props {
  days: string[]
  today: string
  choose: (days: string[]) => void
}

/** A month from which any number of days can be chosen. */
export default function HolidayCalendar({ days, today, choose }: Props) {
  return (
    <Calendar<'multiple'>
      type="multiple"
      today={today}
      defaultDate={days.toSorted().find((day) => day >= today) ?? today}
      value={days}
      onChange={(dates) => choose(dates.toSorted())}
    />
  )
}
