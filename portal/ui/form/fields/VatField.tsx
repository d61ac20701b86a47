import { Text, TextInput } from '@mantine/core'
import { vatCodeOf } from '#contract/rules/vat-code.ts'
import { type FieldProps, useField } from './useField.tsx'
import { useTypedText } from './useTypedText.ts'

/** A VAT code of a country: checked by its checksum, stored without blanks and punctuation. */
export function VatField<T extends Record<string, unknown>>(props: FieldProps<T> & { country: string }) {
  const { value, set, leave, input } = useField<string | null, T>(props)
  const read = (typed: string) => vatCodeOf(typed, props.country)
  const { text, type, tidy } = useTypedText<string>({ value, set, read, write: (code) => code })
  return (
    <TextInput
      {...input}
      leftSection={
        <Text span textWrap="nowrap" c="dimmed" fz="sm">
          {props.country}
        </Text>
      }
      autoComplete="off"
      autoCapitalize="characters"
      maxLength={40}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => {
        tidy()
        leave()
      }}
    />
  )
}
