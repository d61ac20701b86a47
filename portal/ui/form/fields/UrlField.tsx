import { TextInput } from '@mantine/core'
import { type FieldProps, useField } from './useField.tsx'

/** A web address; missing `https://` is added on blur. */
export function UrlField<T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { value, set, leave, input } = useField<string | null, T>(props)
  const tidy = () => {
    const text = (value ?? '').trim()
    if (/^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(text)) set(`https://${text}`)
    else if (text !== value && value) set(text)
    leave()
  }
  return (
    <TextInput
      {...input}
      type="url"
      inputMode="url"
      autoComplete="url"
      maxLength={2048}
      placeholder="https://"
      value={value ?? ''}
      onChange={(event) => set(event.currentTarget.value)}
      onBlur={tidy}
    />
  )
}
