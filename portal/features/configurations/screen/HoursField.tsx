import { ActionIcon, Button, Chip, Flex, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ScreenHours } from '#contract/configurations/screen-content.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { weekdays } from '#portal/features/alarms/alarm-setting/quietClock.ts'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import { Panel } from '#portal/ui/page/Panel.tsx'
import classes from './Screen.module.css'

const most = 28
const working: ScreenHours = { days: [1, 2, 3, 4, 5], from: '07:00', to: '20:00' }

/** Weekly hours in which the screen is on; without hours always. */
export const HoursField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('screen-configuration')
  const format = useFormat()
  const { value, set, leave, input, isFixed } = useField<ScreenHours[], Record<string, unknown>>(props)
  const names = weekdays(format.locale)
  const change = (at: number, some: Partial<ScreenHours>) =>
    set(value.map((hours, index) => (index === at ? { ...hours, ...some } : hours)))
  return (
    <Stack gap="part" miw={0} className="whole">
      <Text c="dimmed" fz="fine">
        {t('hint.hours')}
      </Text>
      {value.length > 0 && (
        <Stack component="ol" gap="sm">
          {value.map((hours, index) => {
            const number = index + 1
            const time = (name: 'from' | 'to') => (
              <TextInput
                type="time"
                className={classes.time}
                label={t(`hours.${name}`)}
                disabled={isFixed}
                value={hours[name]}
                error={Boolean(props.form.errors[`schedule.${index}.${name}`])}
                onChange={({ currentTarget }) => change(index, { [name]: currentTarget.value.slice(0, 5) })}
                onBlur={leave}
              />
            )
            return (
              // Hours are identified by their position alone.
              <Panel key={index} component="li" p="sm" radius="inner" bg="transparent">
                <Stack gap="near">
                  <Flex component="fieldset" gap="tight" wrap="wrap" aria-label={t('hours.days', { number })}>
                    <Chip.Group
                      multiple
                      value={hours.days.map(String)}
                      onChange={(days) => change(index, { days: days.map(Number).toSorted((a, b) => a - b) })}
                    >
                      {names.map((name, day) => (
                        <Chip key={name} value={String(day + 1)} size="xs" disabled={isFixed}>
                          {name}
                        </Chip>
                      ))}
                    </Chip.Group>
                  </Flex>
                  <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
                    {time('from')}
                    {time('to')}
                    <ActionIcon
                      variant="subtle"
                      aria-label={t('hours.remove', { number })}
                      disabled={isFixed}
                      onClick={() => set(value.filter((___, at) => at !== index))}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </Flex>
                </Stack>
              </Panel>
            )
          })}
        </Stack>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={isFixed || value.length >= most}
          onClick={() => set([...value, value.at(-1) ?? working])}
        >
          {t('hours.add')}
        </Button>
      </div>
      {input.error && (
        <Text c="crit" fz="fine" role="alert">
          {input.error}
        </Text>
      )}
    </Stack>
  )
}
