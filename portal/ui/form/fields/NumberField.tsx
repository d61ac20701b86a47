import { Text, TextInput, type TextInputProps } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { readNumber } from '#domain/money/amount-text.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { type FieldProps, useField } from './useField.tsx'
import { useTypedText } from './useTypedText.ts'

interface Numeric {
  /** Maximum decimals; none by default. */
  digits?: number | undefined
  /** Shown after the number: %, min, °C. */
  unit?: string | undefined
  /** The step of the arrow keys, within the bounds. */
  step?: number | undefined
  min?: number | undefined
  max?: number | undefined
}

interface InputProps extends Numeric, Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | keyof Numeric> {
  /** The number, or the typed text if it cannot be read. */
  value: number | string | null
  set: (value: number | string | null) => void
  leave?: (() => void) | undefined
}

/** A number outside of a form, in the reader's own format. */
export function NumberInput({ value, set, leave, digits = 0, unit, step = 1, min, max, ...input }: InputProps) {
  const format = useFormat()
  const decimal = format.number(0.5).includes(',') ? ',' : '.'
  const read = (text: string) => readNumber(text, decimal, digits)
  const write = (number: number) => format.number(number, { maximumFractionDigits: digits })
  const { text, type, tidy } = useTypedText<number>({ value, set, read, write })
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!direction || input.disabled || input.readOnly) return
    event.preventDefault()
    const next = (read(text) ?? 0) + direction * step
    type(write(Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, next))))
  }
  return (
    <TextInput
      {...(unit && {
        rightSection: (
          <Text span textWrap="nowrap" c="dimmed" fz="sm">
            {unit}
          </Text>
        ),
        rightSectionWidth: 16 + unit.length * 9,
      })}
      {...input}
      inputMode={digits > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      maxLength={32}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => {
        tidy()
        leave?.()
      }}
    />
  )
}

/** A number of a form. The schema has its bounds; `min` and `max` keep the arrow keys within them. */
export function NumberField<T extends Record<string, unknown>>(props: FieldProps<T> & Numeric) {
  const { digits, unit, step, min, max } = props
  const { value, set, leave, input } = useField<number | string | null, T>(props)
  return <NumberInput {...{ digits, unit, step, min, max }} {...input} value={value} set={set} leave={leave} />
}
