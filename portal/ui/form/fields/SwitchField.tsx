import { Switch } from '@mantine/core'
import { type FieldProps, useField } from './useField.tsx'

/** Yes or no. One that only shows its state cannot be switched and does not look dead. */
export function SwitchField<T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { value, set, leave, input, isFixed } = useField<boolean, T>(props)
  const { label, description, error, disabled } = input
  return (
    <Switch
      label={label}
      description={description}
      error={error}
      disabled={disabled}
      aria-readonly={isFixed || undefined}
      aria-busy={input['aria-busy']}
      checked={value}
      onChange={(event) => isFixed || set(event.currentTarget.checked)}
      onBlur={leave}
    />
  )
}
