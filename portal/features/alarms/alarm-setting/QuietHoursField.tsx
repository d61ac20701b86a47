import { Checkbox, Flex, Input, Stack, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EditedAlarmSetting } from '#contract/alarms/alarm-setting.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { type FieldProps, useField } from '#portal/ui/form/fields/useField.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { clockOf, minutesOf, weekdays } from './quietClock.ts'

type Quiet = EditedAlarmSetting['quietHours']
const night: NonNullable<Quiet> = { from: 22 * 60, to: 6 * 60, days: [1, 2, 3, 4, 5, 6, 7] }

/** Quiet hours by the merchant's clock, and the days on which they begin; or none. */
export function QuietHoursField<T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { t } = useTranslation('alarm-setting')
  const { timeZone } = useMerchant()
  const format = useFormat()
  const { value, set, leave, input, isFixed } = useField<Quiet, T>(props)
  const time = (name: 'from' | 'to') => (
    <TextInput
      type="time"
      label={t(`quiet.${name}`)}
      disabled={isFixed}
      value={clockOf(value?.[name])}
      onChange={({ currentTarget }) => value && set({ ...value, [name]: minutesOf(currentTarget.value) })}
      onBlur={leave}
    />
  )
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
          <Columns of="repeat(2, minmax(0, 160px))" gap="sm">
            {time('from')}
            {time('to')}
          </Columns>
          <Checkbox.Group
            label={t('quiet.days')}
            value={value.days.map(String)}
            onChange={(days) => set({ ...value, days: days.map(Number).toSorted((a, b) => a - b) })}
          >
            <Flex rowGap="near" columnGap="md" wrap="wrap" mt="near">
              {weekdays(format.locale).map((name, index) => (
                <Checkbox key={name} value={String(index + 1)} label={name} disabled={isFixed} />
              ))}
            </Flex>
          </Checkbox.Group>
          <Input.Description>
            {t(value.to <= value.from ? 'quiet.overMidnight' : 'quiet.zone', { zone: timeZone })}
          </Input.Description>
        </>
      )}
      {input.error && <Input.Error>{input.error}</Input.Error>}
    </Stack>
  )
}
