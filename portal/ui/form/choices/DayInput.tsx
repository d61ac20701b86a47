import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn } from '#domain/time/period.ts'
import { readDay } from '#domain/time/zoned-time.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { useTypedText } from '../fields/useTypedText.ts'

const Calendar = lazyPart(() => import('./DayCalendar.tsx'))

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max'> {
  /** A calendar day (`2026-11-21`), or the typed text if it is not a day. */
  value: string | null
  set: (day: string | null) => void
  min?: string
  max?: string
  timeZone?: string
}

/** A day of the calendar, typed as the reader writes days or chosen from a month. */
export function DayInput({ value, set, min, max, timeZone, ...input }: Props) {
  const { t } = useTranslation('form')
  const format = useFormat()
  const merchant = useMerchant()
  const [isOpen, setOpen] = useState(false)
  const written = (day: string) =>
    new Intl.DateTimeFormat(format.locale, {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(`${day}T12:00:00Z`))
  const { text, type, tidy } = useTypedText<string>({ value, set, read: readDay, write: written })
  const isFixed = input.disabled || input.readOnly
  const calendar = (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ActionIcon aria-label={t('field.calendar')} onClick={() => setOpen((was) => !was)}>
          <IconCalendar size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={t('field.calendar')}>
        <Part fallback={<div style={{ width: 220, height: 240 }} />}>
          <Calendar
            day={readDay(text)}
            today={dayIn(new Date(), timeZone ?? merchant.timeZone)}
            min={min}
            max={max}
            choose={(day) => {
              type(written(day))
              setOpen(false)
            }}
          />
        </Part>
      </Popover.Dropdown>
    </Popover>
  )
  return (
    <TextInput
      {...(!isFixed && { rightSection: calendar })}
      autoComplete="off"
      inputMode="numeric"
      placeholder={written('2026-12-31').replace('2026', '____').replace('31', '__').replace('12', '__')}
      maxLength={12}
      {...input}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={(event) => {
        tidy()
        input.onBlur?.(event)
      }}
    />
  )
}
