import { TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { mostRecipients } from '#contract/alarms/alarm-setting.ts'
import { type FieldProps, useField } from '#portal/ui/form/fields/useField.tsx'

/** Mail addresses in a list; each is checked by the form's schema. */
export function AddressesField<T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { t } = useTranslation('alarm-setting')
  const { value, set, leave, input } = useField<string[], T>(props)
  return (
    <TagsInput
      {...input}
      value={value}
      onChange={(next) => set(next.map((each) => each.trim().toLowerCase()))}
      onBlur={leave}
      maxTags={mostRecipients}
      splitChars={[',', ';', ' ']}
      acceptValueOnBlur
      inputMode="email"
      placeholder={value.length === 0 ? t('addressHint') : undefined}
    />
  )
}
