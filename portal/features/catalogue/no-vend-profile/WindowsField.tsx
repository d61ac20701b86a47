import { ActionIcon, Button, Chip, Flex, Input, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { NoVendWindow } from '#contract/catalogue/no-vend-profile.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { weekdays } from '#portal/features/alarms/alarm-setting/quietClock.ts'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import classes from './NoVendProfile.module.css'
import { WeekPicture } from './WeekPicture.tsx'
import { endsNextDay, isWholeDay } from './weekOf.ts'

const mostWindows = 28
const morning: NoVendWindow = { days: [1, 2, 3, 4, 5], from: '08:00', to: '13:00' }

/** An hour on the same days, after the last window. */
function nextWindow(last: NoVendWindow | undefined): NoVendWindow {
  if (!last) return morning
  const hour = (Number(last.to.slice(0, 2)) + 1) % 24
  return { days: last.days, from: last.to, to: `${String(hour).padStart(2, '0')}${last.to.slice(2)}` }
}

/** Weekly windows: days, start and end, beside a picture of the week. */
export const WindowsField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('no-vend-profile')
  const format = useFormat()
  const { value, set, leave, input, isFixed } = useField<NoVendWindow[], Record<string, unknown>>(props)
  const names = weekdays(format.locale)
  const change = (at: number, some: Partial<NoVendWindow>) =>
    set(value.map((window, index) => (index === at ? { ...window, ...some } : window)))
  return (
    <Stack gap="part" miw={0} className="whole">
      <Text c="dimmed" fz="fine" lh="fine">
        {t('hint.windows')}
      </Text>
      <Stack gap="lg">
        {value.length > 0 && (
          <Stack component="ol" gap="sm">
            {value.map((window, index) => {
              const number = index + 1
              const time = (name: 'from' | 'to') => (
                <TextInput
                  type="time"
                  className={classes.time}
                  label={t(`window.${name}`)}
                  disabled={isFixed}
                  value={window[name]}
                  error={Boolean(props.form.errors[`windows.${index}.${name}`])}
                  onChange={({ currentTarget }) => change(index, { [name]: currentTarget.value.slice(0, 5) })}
                  onBlur={leave}
                />
              )
              return (
                // A window is identified by its position alone.
                <li key={index} className={classes.window}>
                  <Flex
                    component="fieldset"
                    gap="tight"
                    wrap="wrap"
                    className="whole"
                    aria-label={t('window.days', { number })}
                  >
                    <Chip.Group
                      multiple
                      value={window.days.map(String)}
                      onChange={(days) => change(index, { days: days.map(Number).toSorted((a, b) => a - b) })}
                    >
                      {names.map((name, day) => (
                        <Chip key={name} value={String(day + 1)} size="xs" disabled={isFixed}>
                          {name}
                        </Chip>
                      ))}
                    </Chip.Group>
                  </Flex>
                  <Flex rowGap="near" columnGap={{ base: 'near', xs: 'sm' }} wrap="wrap" align="flex-end">
                    {time('from')}
                    {time('to')}
                    {isWholeDay(window) ? (
                      <Text span pb={9} c="dimmed" fz="fine">
                        {t('window.allDay')}
                      </Text>
                    ) : (
                      endsNextDay(window) && (
                        <Text span pb={9} c="dimmed" fz="fine">
                          {t('window.nextDay')}
                        </Text>
                      )
                    )}
                  </Flex>
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('window.remove', { number })}
                    disabled={isFixed}
                    onClick={() => set(value.filter((__, at) => at !== index))}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </li>
              )
            })}
          </Stack>
        )}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            disabled={isFixed || value.length >= mostWindows}
            onClick={() => set([...value, nextWindow(value.at(-1))])}
          >
            {t('window.add')}
          </Button>
        </div>
        <WeekPicture windows={value} />
      </Stack>
      {input.error && <Input.Error>{input.error}</Input.Error>}
    </Stack>
  )
}
