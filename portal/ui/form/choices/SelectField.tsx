import { NativeSelect, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Option } from '../../value/option.ts'
import { type FieldProps, useField } from '../fields/useField.tsx'

interface Props<T extends Record<string, unknown>> extends FieldProps<T> {
  options: readonly Option[]
  /** The many options are narrowed by typing. */
  isSearchable?: boolean
  /** The stored value of an option; its own value by default. */
  keep?: (value: string) => unknown
}

/** One of several options; '' means not chosen yet. */
export function SelectField<T extends Record<string, unknown>>(props: Props<T>) {
  const { options, isSearchable, keep = (value) => value } = props
  const { t } = useTranslation('form')
  const { value, set, leave, input, isFixed } = useField<unknown, T>(props)
  const { readOnly: _, ...inputProps } = input
  const selectedValue = value === null ? '' : String(value)
  if (isSearchable)
    return (
      <Select
        {...inputProps}
        disabled={isFixed}
        data={options}
        value={selectedValue || null}
        onChange={(next) => set(keep(next ?? ''))}
        onBlur={leave}
        searchable
        placeholder={t('field.choose')}
        nothingFoundMessage={t('field.search.none')}
      />
    )
  const hasNone = options.some((option) => option.value === '')
  return (
    <NativeSelect
      {...inputProps}
      disabled={isFixed}
      data={hasNone ? options : [{ value: '', label: t('field.choose'), disabled: true }, ...options]}
      value={selectedValue}
      onChange={(event) => set(keep(event.currentTarget.value))}
      onBlur={leave}
    />
  )
}
