import { DatePicker, DatesProvider } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import 'dayjs/locale/es'
import 'dayjs/locale/fr'
import 'dayjs/locale/it'
import 'dayjs/locale/pt'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn, type Period } from '#domain/period.ts'
import { useFormat } from '../app/i18n/format.ts'

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
  const { t } = useTranslation('ui')
  const { language } = useFormat()
  const [range, setRange] = useState<[string | null, string | null]>([
    period?.startDate ?? null,
    period?.endDate ?? null,
  ])
  const today = dayIn(new Date(), timeZone)
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 1, weekendDays: [] }}>
      <DatePicker
        type="range"
        allowSingleDateInRange
        size="xs"
        hideOutsideDates
        ariaLabels={{
          previousMonth: t('calendar.previous'),
          nextMonth: t('calendar.next'),
          previousYear: t('calendar.previous'),
          nextYear: t('calendar.next'),
          previousDecade: t('calendar.previous'),
          nextDecade: t('calendar.next'),
        }}
        value={range}
        defaultDate={period?.endDate ?? today}
        {...(!isAhead && { maxDate: today })}
        getDayProps={(day) => ({ 'aria-current': day === today ? 'date' : undefined })}
        onChange={([start, end]) => {
          setRange([start, end])
          if (start && end) choose([start, end])
        }}
      />
    </DatesProvider>
  )
}
