import { ActionIcon, Button, Chip, Flex, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Panel } from '../../part/Panel.tsx'
import { weekdays } from '../../time/clock.ts'
import type { DrawField } from '../record/RecordFields.tsx'
import { useField } from './useField.tsx'

/** Hours on days of the week, Monday is 1. An end before the start is on the next day. */
export interface WeekWindow {
  days: number[]
  /** Clock times, `08:00`. */
  from: string
  to: string
}

interface InputProps {
  value: WeekWindow
  set: (value: WeekWindow) => void
  leave: () => void
  isFixed: boolean
  /** The name of the days for screen readers. */
  daysLabel: string
  isWrong?: (part: 'from' | 'to') => boolean
  /** After the times, such as a note or a button. */
  children?: ReactNode
}

/** Days, start and end. */
export function WeekWindowInput({ value, set, leave, isFixed, daysLabel, isWrong, children }: InputProps) {
  const { t } = useTranslation('form')
  const format = useFormat()
  const time = (part: 'from' | 'to') => (
    <TextInput
      type="time"
      // With the day's half, which some browsers show.
      w={{ base: 116, xs: 132 }}
      label={t(`field.window.${part}`)}
      disabled={isFixed}
      value={value[part]}
      error={isWrong?.(part)}
      onChange={({ currentTarget }) => set({ ...value, [part]: currentTarget.value.slice(0, 5) })}
      onBlur={leave}
    />
  )
  return (
    <Stack gap="near">
      <Flex component="fieldset" gap="tight" wrap="wrap" aria-label={daysLabel}>
        <Chip.Group
          multiple
          value={value.days.map(String)}
          onChange={(days) => set({ ...value, days: days.map(Number).toSorted((a, b) => a - b) })}
        >
          {weekdays(format.locale).map((name, day) => (
            <Chip key={name} value={String(day + 1)} size="xs" disabled={isFixed}>
              {name}
            </Chip>
          ))}
        </Chip.Group>
      </Flex>
      <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
        {time('from')}
        {time('to')}
        {children}
      </Flex>
    </Stack>
  )
}

interface ListProps {
  field: Parameters<DrawField>[0]
  hint: string
  /** The most windows. */
  most: number
  /** A new window after the last. */
  next: (last: WeekWindow | undefined) => WeekWindow
  noteOf?: (window: WeekWindow) => ReactNode
  /** Shows all windows. */
  picture?: (windows: readonly WeekWindow[]) => ReactNode
}

/** Weekly windows of a record: each with its days, start and end. */
export function WeekWindowsField({ field, hint, most, next, noteOf, picture }: ListProps) {
  const { t } = useTranslation('form')
  const { value, set, leave, input, isFixed } = useField<WeekWindow[], Record<string, unknown>>(field)
  return (
    <Stack gap="part" miw={0} className="whole">
      <Text c="dimmed" fz="fine" lh="fine">
        {hint}
      </Text>
      {value.length > 0 && (
        <Stack component="ol" gap="sm">
          {value.map((window, index) => (
            // A window is identified by its position alone.
            <Panel key={index} component="li" p="sm" radius="inner" bg="transparent">
              <WeekWindowInput
                value={window}
                set={(changed) => set(value.map((one, at) => (at === index ? changed : one)))}
                {...{ leave, isFixed }}
                daysLabel={t('field.window.days', { number: index + 1 })}
                isWrong={(part) => Boolean(field.form.errors[`${field.name}.${index}.${part}`])}
              >
                {noteOf?.(window)}
                <ActionIcon
                  variant="subtle"
                  ml="auto"
                  aria-label={t('field.window.remove', { number: index + 1 })}
                  disabled={isFixed}
                  onClick={() => set(value.filter((_, at) => at !== index))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </WeekWindowInput>
            </Panel>
          ))}
        </Stack>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={isFixed || value.length >= most}
          onClick={() => set([...value, next(value.at(-1))])}
        >
          {t('field.window.add')}
        </Button>
      </div>
      {picture?.(value)}
      {input.error && (
        <Text c="crit" fz="fine" role="alert">
          {input.error}
        </Text>
      )}
    </Stack>
  )
}
