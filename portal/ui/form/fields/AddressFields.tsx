import { Flex, Loader, NativeSelect, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type PostalPlace, postalCodes } from '#contract/platform/postal-code.ts'
import { couldBePostalCode, isPostalCode, writePostalCode } from '#contract/rules/postal-code.ts'
import { queryOf } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useCountryOptions } from '../choices/countryNames.ts'
import classes from './Fields.module.css'
import { TextField } from './TextField.tsx'
import { type FieldProps, useField } from './useField.tsx'

type Name<T extends Record<string, unknown>> = FieldProps<T>['name']

interface Props<T extends Record<string, unknown>> extends Omit<FieldProps<T>, 'name' | 'label' | 'description'> {
  /** The schema's names of the five fields. */
  names: { street: Name<T>; postalCode: Name<T>; city: Name<T>; province: Name<T>; country: Name<T> }
  /** Empty input is null if the schema allows no empty text. */
  isNullable?: boolean
}

/**
 * An address whose postal code offers its places; the chosen place fills city and province. An unknown code shows a
 * warning and can be kept: the table may be incomplete.
 */
export function AddressFields<T extends Record<string, unknown>>({ names, ...props }: Props<T>) {
  const { t } = useTranslation('form')
  const country = useField<string, T>({ ...props, name: names.country, label: t('field.address.country') })
  const options = useCountryOptions()
  const { readOnly: _, ...inputProps } = country.input
  return (
    <Stack component="fieldset" gap="sm">
      <NativeSelect
        {...inputProps}
        disabled={country.isFixed}
        data={[{ value: '', label: t('field.choose'), disabled: true }, ...options]}
        value={country.value}
        onChange={(event) => country.set(event.currentTarget.value)}
        onBlur={country.leave}
      />
      <TextField
        {...props}
        name={names.street}
        label={t('field.address.street')}
        autoComplete="address-line1"
        maxLength={200}
      />
      <PostalCode {...props} names={names} country={country.value} />
      <TextField
        {...props}
        name={names.city}
        label={t('field.address.city')}
        autoComplete="address-level2"
        maxLength={100}
      />
      <TextField
        {...props}
        name={names.province}
        label={t('field.address.province')}
        autoComplete="address-level1"
        maxLength={100}
      />
    </Stack>
  )
}

function PostalCode<T extends Record<string, unknown>>({
  names,
  country,
  isNullable,
  ...props
}: Props<T> & { country: string }) {
  const { t } = useTranslation(['form', 'errors'])
  const code = useField<string | null, T>({
    ...props,
    name: names.postalCode,
    label: t('form:field.address.postalCode'),
  })
  const city = useField<string | null, T>({ ...props, name: names.city, label: '' })
  const province = useField<string | null, T>({ ...props, name: names.province, label: '' })
  const typed = code.value ?? ''
  const noteId = useId()
  const [searchedCode] = useDebouncedValue(typed.trim(), 250)
  const isTyped = useRef(false)
  const isAsked = isTyped.current && country !== '' && couldBePostalCode(country, searchedCode)
  const {
    data = [],
    error,
    isFetching,
  } = useQuery({
    ...queryOf(postalCodes.completePostalCode, { params: { country, code: searchedCode } }),
    enabled: isAsked,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const places = isAsked ? data : []
  const isUnknown =
    isAsked && error instanceof ApiError && error.code === 'PostalCodeNotFound' && isPostalCode(country, searchedCode)
  const take = (place: PostalPlace) => {
    // A place may have only a prefix of the typed code, which is less precise.
    if (!isPostalCode(country, typed)) code.set(place.code)
    city.set(place.place)
    province.set(place.province)
  }
  const [only] = places
  const isOne = places.length === 1 && only !== undefined && isPostalCode(country, searchedCode)
  const filledCode = useRef('')
  const isEmpty = !city.value || filledCode.current !== ''
  useEffect(() => {
    if (!isOne || !only || !isEmpty || filledCode.current === searchedCode) return
    filledCode.current = searchedCode
    city.set(only.place)
    province.set(only.province)
  })
  return (
    <div>
      <TextInput
        {...(isFetching && { rightSection: <Loader size={14} /> })}
        {...code.input}
        maw={220}
        autoComplete="postal-code"
        maxLength={20}
        aria-details={noteId}
        value={typed}
        onChange={(event) => {
          isTyped.current = true
          const text = event.currentTarget.value
          code.set(isNullable && text === '' ? null : text)
        }}
        onBlur={() => {
          if (country && isPostalCode(country, typed)) code.set(writePostalCode(country, typed))
          code.leave()
        }}
      />
      <div id={noteId} role="status">
        {isUnknown && (
          <Text mt="tight" c="dimmed" fz="fine" lh="fine">
            {t('errors:PostalCodeNotFound')}
          </Text>
        )}
        {!isOne && places.length > 0 && !code.isFixed && (
          <Flex component="ul" gap="snug" wrap="wrap" mt="snug" aria-label={t('form:field.address.places')}>
            {places.map((place) => (
              <li key={`${place.code} ${place.place} ${place.province}`}>
                <UnstyledButton
                  className={`${classes.place} lights`}
                  // Validation now would refuse the unfinished code and move the list from under the pointer.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => take(place)}
                >
                  {place.code} {place.place} ({place.province})
                </UnstyledButton>
              </li>
            ))}
          </Flex>
        )}
      </div>
    </div>
  )
}
