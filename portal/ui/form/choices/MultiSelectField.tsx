import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Option } from '../../value/option.ts'
import classes from '../fields/Fields.module.css'
import { type FieldProps, useField } from '../fields/useField.tsx'

/** Several options of a list. */
export function MultiSelectField<T extends Record<string, unknown>>(
  props: FieldProps<T> & { options: readonly Option[] },
) {
  const { t } = useTranslation('form')
  const { value, set, leave, input, isFixed } = useField<string[], T>(props)
  return (
    <MultiSelect
      {...input}
      data={props.options}
      value={value}
      onChange={set}
      onBlur={leave}
      searchable={!isFixed}
      clearable={!isFixed}
      clearButtonProps={{ 'aria-label': t('field.clear', { name: input.label }) }}
      placeholder={value.length === 0 ? t('field.choose') : undefined}
      nothingFoundMessage={t('field.search.none')}
      hidePickedOptions
      classNames={{ input: classes.pills, pill: classes.pill }}
    />
  )
}
