import { DatePicker, type DatePickerProps, type DatePickerType, DatesProvider } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { localeOf } from '#domain/frame/locale.ts'
import { useFormat } from '#portal/app/i18n/format.ts'

type Props<T extends DatePickerType> = DatePickerProps<T> & { today: string }

/** Names of months and days for the date picker, as the browser knows them, so that a language needs no file of its own. */
function nameDays(language: string) {
  const named = (count: number, first: number, step: number, options: Intl.DateTimeFormatOptions) =>
    Array.from({ length: count }, (_, index) =>
      new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: 'UTC' }).format(first + index * step),
    )
  // From the middle of January each step is near the middle of the next month; the last of December 2023 was a Sunday.
  const monthMs = 30.44 * 86_400_000
  const months = (month: 'long' | 'short') => named(12, Date.UTC(2024, 0, 15), monthMs, { month })
  const weekdays = (weekday: 'long' | 'short' | 'narrow') => named(7, Date.UTC(2023, 11, 31), 86_400_000, { weekday })
  dayjs.locale(
    {
      name: language,
      formats: {},
      relativeTime: {},
      months: months('long'),
      monthsShort: months('short'),
      weekdays: weekdays('long'),
      weekdaysShort: weekdays('short'),
      weekdaysMin: weekdays('short').map((day) => day.slice(0, 2)),
    },
    undefined,
    true,
  )
}
const named = new Set<string>()

/** A month of days in the reader's language; `today` is marked. */
export function Calendar<T extends DatePickerType = 'default'>({ today, ...props }: Props<T>) {
  const { t } = useTranslation('ui')
  const { language } = useFormat()
  if (!named.has(language)) {
    nameDays(language)
    named.add(language)
  }
  const previous = t('calendar.previous')
  const next = t('calendar.next')
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 1, weekendDays: [] }}>
      <DatePicker<T>
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
        getDayProps={(day) => ({ 'aria-current': day === today ? 'date' : undefined })}
        {...(props as DatePickerProps<T>)}
      />
    </DatesProvider>
  )
}
