import { TextInput } from '@mantine/core'
import { type Currency, currencies } from '#contract/vocabulary/currencies.ts'
import { readAmount, writeAmount } from '#domain/amount-text.ts'
import classes from './Fields.module.css'
import { type FieldProps, useField } from './useField.tsx'
import { useTypedText } from './useTypedText.ts'

/** An amount: minor units in the form, the currency's own writing on the screen. */
export function MoneyField<T extends Record<string, unknown>>(props: FieldProps<T> & { currency: Currency }) {
  const { currency } = props
  const { symbol } = currencies[currency]
  const { value, set, leave, input } = useField<number | string | null, T>(props)
  const { text, type, tidy } = useTypedText<number>({
    value,
    set,
    read: (typed) => readAmount(typed, currency),
    write: (minor) => writeAmount(minor, currency),
  })
  return (
    <TextInput
      {...input}
      leftSection={<span className={classes.unit}>{symbol}</span>}
      leftSectionWidth={18 + symbol.length * 9}
      classNames={{ input: classes.number }}
      inputMode="decimal"
      autoComplete="off"
      maxLength={32}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => {
        tidy()
        leave()
      }}
    />
  )
}
