import { TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { readNumber } from '#domain/money/amount-text.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import classes from './Fields.module.css'
import { type FieldProps, useField } from './useField.tsx'
import { useTypedText } from './useTypedText.ts'

interface Props<T extends Record<string, unknown>> extends FieldProps<T> {
  /** Decimals at most; none by default. */
  digits?: number
  /** Shown after the number: %, min, °C. */
  unit?: string
  /** How far the arrow keys go, within the bounds. */
  step?: number
  min?: number
  max?: number
}

/** A number in the reader's own writing. Bounds are the schema's; `min` and `max` keep the arrow keys within them. */
export function NumberField<T extends Record<string, unknown>>(props: Props<T>) {
  const { digits = 0, unit, step = 1, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = props
  const format = useFormat()
  const decimal = format.number(0.5).includes(',') ? ',' : '.'
  const { value, set, leave, input, isFixed } = useField<number | string | null, T>(props)
  const read = (text: string) => readNumber(text, decimal, digits)
  const write = (number: number) => format.number(number, { maximumFractionDigits: digits })
  const { text, type, tidy } = useTypedText<number>({ value, set, read, write })
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!direction || isFixed) return
    event.preventDefault()
    const next = (read(text) ?? 0) + direction * step
    type(write(Math.min(max, Math.max(min, next))))
  }
  return (
    <TextInput
      {...(unit && {
        rightSection: <span className={classes.unit}>{unit}</span>,
        rightSectionWidth: 16 + unit.length * 9,
      })}
      {...input}
      classNames={{ input: classes.number }}
      inputMode={digits > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      maxLength={32}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => {
        tidy()
        leave()
      }}
    />
  )
}
