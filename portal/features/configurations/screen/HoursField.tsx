import { useTranslation } from 'react-i18next'
import { WeekWindowsField } from '#portal/ui/form/fields/WeekWindow.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'

const working = { days: [1, 2, 3, 4, 5], from: '07:00', to: '20:00' }

/** Weekly hours in which the screen is on; without hours always. */
export const HoursField: DrawField = (field) => {
  const { t } = useTranslation('screen-configuration')
  return <WeekWindowsField field={field} hint={t('hint.hours')} most={28} next={(last = working) => last} />
}
