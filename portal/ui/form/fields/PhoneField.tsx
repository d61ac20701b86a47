import { Input, NativeSelect, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { phoneOf, writePhone } from '#contract/rules/phone.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useCountryOptions } from '../choices/countryNames.ts'
import classes from './Fields.module.css'
import { type FieldProps, useField } from './useField.tsx'
import { useTypedText } from './useTypedText.ts'

/** A phone number, typed in a country's national format or with its prefix; the form stores E.164. */
export function PhoneField<T extends Record<string, unknown>>(props: FieldProps<T> & { country?: string }) {
  const { t } = useTranslation('form')
  const merchant = useMerchant()
  const [country, setCountry] = useState(props.country ?? merchant.country)
  const { value, set, leave, input, isFixed } = useField<string | null, T>(props)
  const { text, type, tidy } = useTypedText<string>({
    value,
    set,
    read: (typed) => phoneOf(typed, country),
    write: writePhone,
  })
  const id = useId()
  const { label, withAsterisk, error, description, ...inputProps } = input
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelProps={{ htmlFor: id }}
      withAsterisk={withAsterisk}
      required={false}
      description={description}
      inputWrapperOrder={['label', 'input', 'description']}
    >
      <div className={classes.narrowWide}>
        <NativeSelect
          aria-label={t('field.phone.country')}
          data={useCountryOptions()}
          value={country}
          disabled={isFixed}
          onChange={(event) => {
            const next = event.currentTarget.value
            setCountry(next)
            if (text.trim() !== '') set(phoneOf(text, next) ?? text)
          }}
        />
        <TextInput
          {...inputProps}
          id={id}
          error={error}
          type="tel"
          autoComplete="tel"
          maxLength={32}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={() => {
            tidy()
            leave()
          }}
        />
      </div>
    </Input.Wrapper>
  )
}
