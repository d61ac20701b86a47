import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type WeekWindow, WeekWindowsField } from '#portal/ui/form/fields/WeekWindow.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import { WeekPicture } from './WeekPicture.tsx'
import { endsNextDay, isWholeDay } from './weekOf.ts'

const morning = { days: [1, 2, 3, 4, 5], from: '08:00', to: '13:00' }

/** An hour on the same days, after the last window. */
function nextWindow(last: WeekWindow | undefined): WeekWindow {
  if (!last) return morning
  const hour = (Number(last.to.slice(0, 2)) + 1) % 24
  return { days: last.days, from: last.to, to: `${String(hour).padStart(2, '0')}${last.to.slice(2)}` }
}

/** Weekly windows: days, start and end, beside a picture of the week. */
export const WindowsField: DrawField = (field) => {
  const { t } = useTranslation('no-vend-profile')
  const noteOf = (window: WeekWindow) => {
    const note = isWholeDay(window) ? 'allDay' : endsNextDay(window) && 'nextDay'
    return (
      note && (
        <Text span pb={9} c="dimmed" fz="fine">
          {t(`window.${note}`)}
        </Text>
      )
    )
  }
  return (
    <WeekWindowsField
      field={field}
      hint={t('hint.windows')}
      most={28}
      next={nextWindow}
      noteOf={noteOf}
      picture={(windows) => <WeekPicture windows={windows} />}
    />
  )
}
