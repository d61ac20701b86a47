import { DatePicker, DatesProvider } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import 'dayjs/locale/es'
import 'dayjs/locale/fr'
import 'dayjs/locale/it'
import 'dayjs/locale/pt'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../app/i18n/format.ts'

interface Props {
  day: string | undefined
  today: string
  min?: string
  max?: string
  choose: (day: string) => void
}

/** A month of days, one of which is chosen. */
export default function DayCalendar({ day, today, min, max, choose }: Props) {
  const { t } = useTranslation('ui')
  const { language } = useFormat()
  const [previous, next] = [t('calendar.previous'), t('calendar.next')]
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 1, weekendDays: [] }}>
      <DatePicker
        size="xs"
        hideOutsideDates
        ariaLabels={{
          previousMonth: previous,
          nextMonth: next,
          previousYear: previous,
          nextYear: next,
          previousDecade: previous,
          nextDecade: next,
        }}
        value={day ?? null}
        defaultDate={day ?? today}
        minDate={min}
        maxDate={max}
        getDayProps={(each) => ({ 'aria-current': each === today ? 'date' : undefined })}
        onChange={(chosen) => chosen && choose(chosen)}
      />
    </DatesProvider>
  )
}
