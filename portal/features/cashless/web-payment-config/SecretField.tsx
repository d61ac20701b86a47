import { PasswordInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FieldProps, useField } from '#portal/ui/form/fields/useField.tsx'

/** A secret that is written and never read back. */
export function SecretField<T extends Record<string, unknown>>(props: FieldProps<T> & { isLong: boolean }) {
  const { t } = useTranslation('form')
  const { value, set, leave, input } = useField<string, T>({ ...props, isSecret: true })
  const inputProps = { ...input, value, autoComplete: 'off', maxLength: 8000, onBlur: leave }
  return props.isLong ? (
    <Textarea {...inputProps} autosize minRows={4} maxRows={8} onChange={(event) => set(event.currentTarget.value)} />
  ) : (
    <PasswordInput
      {...inputProps}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('field.password.show'), tabIndex: 0 }}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}
