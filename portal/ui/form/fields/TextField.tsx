import { Textarea, TextInput } from '@mantine/core'
import type { HTMLInputAutoCompleteAttribute } from 'react'
import { type FieldProps, useField } from './useField.tsx'

interface Props<T extends Record<string, unknown>> extends FieldProps<T> {
  maxLength?: number
  placeholder?: string
  autoComplete?: HTMLInputAutoCompleteAttribute
  inputMode?: 'text' | 'email' | 'numeric'
  /** Empty input is null if the schema allows no empty text. */
  isNullable?: boolean
  /** Lines of a longer text; one line by default. */
  rows?: number
}

/** A text. */
export function TextField<T extends Record<string, unknown>>(props: Props<T>) {
  const { maxLength, placeholder, autoComplete, inputMode, rows, isNullable } = props
  const { value, set, leave, input } = useField<string | null, T>(props)
  const type = (text: string) => set(isNullable && text === '' ? null : text)
  const inputProps = { maxLength, placeholder, autoComplete, inputMode, value: value ?? '', onBlur: leave }
  return rows ? (
    <Textarea
      {...input}
      {...inputProps}
      autosize
      minRows={rows}
      maxRows={rows * 4}
      onChange={(event) => type(event.currentTarget.value)}
    />
  ) : (
    <TextInput {...input} {...inputProps} onChange={(event) => type(event.currentTarget.value)} />
  )
}
