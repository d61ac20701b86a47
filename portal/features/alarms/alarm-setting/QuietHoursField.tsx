import { Input, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EditedAlarmSetting } from '#contract/alarms/alarm-setting.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { type FieldProps, useField } from '#portal/ui/form/fields/useField.tsx'
import { WeekWindowInput } from '#portal/ui/form/fields/WeekWindow.tsx'
import { clockOf, minutesOf } from '#portal/ui/time/clock.ts'

type QuietHours = EditedAlarmSetting['quietHours']
const night: NonNullable<QuietHours> = { from: 22 * 60, to: 6 * 60, days: [1, 2, 3, 4, 5, 6, 7] }

/** Quiet hours by the merchant's clock, and the days on which they begin; or none. */
export function QuietHoursField<T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { t } = useTranslation('alarm-setting')
  const { timeZone } = useMerchant()
  const { value, set, leave, input, isFixed } = useField<QuietHours, T>(props)
  return (
    <Stack gap="sm">
      <Switch
        label={input.label}
        description={input.description}
        disabled={isFixed}
        checked={value !== null}
        onChange={({ currentTarget }) => set(currentTarget.checked ? night : null)}
      />
      {value && (
        <>
          <WeekWindowInput
            value={{ days: value.days, from: clockOf(value.from), to: clockOf(value.to) }}
            set={({ days, from, to }) => set({ days, from: minutesOf(from), to: minutesOf(to) })}
            {...{ leave, isFixed }}
            daysLabel={t('quiet.days')}
          />
          <Input.Description>
            {t(value.to <= value.from ? 'quiet.overMidnight' : 'quiet.zone', { zone: timeZone })}
          </Input.Description>
        </>
      )}
      {input.error && <Input.Error>{input.error}</Input.Error>}
    </Stack>
  )
}
