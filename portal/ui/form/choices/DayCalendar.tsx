import { Calendar } from '#portal/ui/time/Calendar.tsx'

interface Props {
  day: string | undefined
  today: string
  min?: string
  max?: string
  choose: (day: string) => void
}

/** A month from which one day is chosen. */
export default function DayCalendar({ day, today, min, max, choose }: Props) {
  return (
    <Calendar
      today={today}
      value={day ?? null}
      defaultDate={day ?? today}
      minDate={min}
      maxDate={max}
      onChange={(day) => day && choose(day)}
    />
  )
}
