import { Switch } from '@mantine/core'
import { type FieldProps, useField } from '../fields/useField.tsx'

/** Yes or no. A read-only switch cannot be changed but does not look disabled. */
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
