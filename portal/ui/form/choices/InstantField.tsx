import { Input, Radio, TextInput } from '@mantine/core'
import { type FocusEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { momentsAt, readTime, wallAt, writeOffset } from '#domain/time/zoned-time.ts'
import { instantOf, wireInstant } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { type FieldInput, type FieldProps, useField } from '../fields/useField.tsx'
import { DayInput } from './DayInput.tsx'

const partsOf = (value: string | null, timeZone: string) => {
  const moment = instantOf(value)
  if (!moment) return { day: null, time: '', isSecond: false }
  const { day, time } = wallAt(moment, timeZone)
  const [first] = momentsAt(day, time, timeZone) ?? []
  return { day, time, isSecond: first !== undefined && first.getTime() < moment.getTime() - 60_000 }
}

interface MomentProps {
  /** The wire's instant, or the typed text if it is not a moment. */
  value: string | null
  set: (value: string | null) => void
  leave?: () => void
  /** IANA zone of the wall clock. */
  timeZone: string
  input: Partial<FieldInput> & { label: string }
}

/** A moment in a form: day and time in a named zone, the merchant's by default; on the wire it is UTC. */
export function InstantField<T extends Record<string, unknown>>(props: FieldProps<T> & { timeZone?: string }) {
  const merchant = useMerchant()
  const { value, set, leave, input } = useField<string | null, T>(props)
  return (
    <MomentInput value={value} set={set} leave={leave} input={input} timeZone={props.timeZone ?? merchant.timeZone} />
  )
}

/**
 * The same outside of a form. A time skipped by a clock change is reported; for a time that occurs twice the user
 * chooses.
 */
export function MomentInput({ value, set, leave, timeZone, input }: MomentProps) {
  const { t } = useTranslation('form')
  const [typed, setTyped] = useState(() => ({ ...partsOf(value, timeZone), value }))
  const { day, time, isSecond } = Object.is(typed.value, value) ? typed : partsOf(value, timeZone)
  const id = useId()
  const clock = readTime(time)
  const moments = day === null || !clock ? undefined : momentsAt(day, clock, timeZone)
  const isSkipped = moments?.length === 0

  const change = (part: { day?: string | null; time?: string; isSecond?: boolean }) => {
    const next = { day, time, isSecond, ...part }
    const at = next.day === null ? undefined : momentsAt(next.day, readTime(next.time) ?? '', timeZone)
    const moment = at?.[next.isSecond ? at.length - 1 : 0]
    const isEmpty = !next.day && next.time.trim() === ''
    // The form keeps invalid text as typed, so that its schema reports it.
    const nextValue = moment ? wireInstant(moment) : isEmpty ? null : `${next.day ?? ''} ${next.time}`
    setTyped({ ...next, value: nextValue })
    set(nextValue)
  }
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) leave?.()
  }
  const error = isSkipped ? t('field.instant.skipped', { zone: timeZone }) : input.error
  const { description, withAsterisk, inputWrapperOrder: _, label, required, ...inputProps } = input
  const described = { 'aria-describedby': `${id}-zone${error ? ` ${id}-error` : ''}` }
  return (
    <div role="group" aria-labelledby={`${id}-label`} onBlur={onBlur}>
      <Input.Label id={`${id}-label`} htmlFor={`${id}-day`} required={withAsterisk}>
        {label}
      </Input.Label>
      <Columns of="minmax(0, 1fr) 108px" gap="near">
        <DayInput
          {...inputProps}
          {...described}
          id={`${id}-day`}
          aria-label={t('field.instant.day', { name: label })}
          aria-required={required}
          error={Boolean(error)}
          timeZone={timeZone}
          value={day}
          set={(next) => change({ day: next })}
        />
        <TextInput
          {...inputProps}
          {...described}
          aria-label={t('field.instant.time', { name: label })}
          aria-required={required}
          error={Boolean(error)}
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          placeholder="__:__"
          value={time}
          onChange={(event) => change({ time: event.currentTarget.value })}
          onBlur={() => clock && clock !== time && change({ time: clock })}
        />
      </Columns>
      <Input.Description id={`${id}-zone`} mt={4}>
        {description ? <>{description} </> : null}
        {t('field.instant.zone', { zone: timeZone })}
      </Input.Description>
      {error && (
        <Input.Error id={`${id}-error`} mt={4}>
          {error}
        </Input.Error>
      )}
      {moments && moments.length > 1 && (
        <Radio.Group
          mt={8}
          label={t('field.instant.twice')}
          value={isSecond ? 'second' : 'first'}
          onChange={(next) => change({ isSecond: next === 'second' })}
        >
          {(['first', 'second'] as const).map((which, index) => (
            <Radio
              key={which}
              mt={6}
              size="xs"
              value={which}
              label={t(`field.instant.${which}`, { offset: writeOffset(moments[index] ?? new Date(), timeZone) })}
            />
          ))}
        </Radio.Group>
      )}
    </div>
  )
}
