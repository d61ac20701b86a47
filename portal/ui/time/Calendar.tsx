import { DatePicker, type DatePickerProps, type DatePickerType, DatesProvider } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import 'dayjs/locale/es'
import 'dayjs/locale/fr'
import 'dayjs/locale/it'
import 'dayjs/locale/pt'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'

type Props<T extends DatePickerType> = DatePickerProps<T> & { today: string }

/** A month of days in the reader's language; `today` is marked. */
export function Calendar<T extends DatePickerType = 'default'>({ today, ...props }: Props<T>) {
  const { t } = useTranslation('ui')
  const { language } = useFormat()
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
