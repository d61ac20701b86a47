import { Text, TextInput, type TextInputProps } from '@mantine/core'
import { broken } from '#contract/frame/broken.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { hasTooManyDecimals, readAmount, writeAmount } from '#domain/money/amount-text.ts'
import { useRuleSentence } from '../useRuleSentence.ts'
import { type FieldProps, useField } from './useField.tsx'
import { useTypedText } from './useTypedText.ts'

interface InputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> {
  /** Minor units, or the typed text if it cannot be read. */
  value: number | string | null
  set: (value: number | string | null) => void
  leave?: (() => void) | undefined
  currency: Currency
}

/** An amount outside of a form. An error about too many decimals says so. */
export function MoneyInput({ value, set, leave, currency, error, ...input }: InputProps) {
  const sayRule = useRuleSentence()
  const isTooFine = typeof value === 'string' && hasTooManyDecimals(value, currency)
  const { symbol } = currencies[currency]
  const { text, type, tidy } = useTypedText<number>({
    value,
    set,
    read: (typed) => readAmount(typed, currency),
    write: (minor) => writeAmount(minor, currency),
  })
  return (
    <TextInput
      leftSection={
        <Text span textWrap="nowrap" c="dimmed" fz="sm">
          {symbol}
        </Text>
      }
      leftSectionWidth={18 + symbol.length * 9}
      inputMode="decimal"
      autoComplete="off"
      maxLength={32}
      {...input}
      error={error && isTooFine ? sayRule(broken('decimals', { amount: value, currency })) : error}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => {
        tidy()
        leave?.()
      }}
    />
  )
}

/** An amount: minor units in the form, the currency's own format on the screen. */
export function MoneyField<T extends Record<string, unknown>>(props: FieldProps<T> & { currency: Currency }) {
  const { value, set, leave, input } = useField<number | string | null, T>(props)
  return <MoneyInput {...input} value={value} set={set} leave={leave} currency={props.currency} />
}
