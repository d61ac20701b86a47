import { NativeSelect } from '@mantine/core'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { type FieldProps, useField } from '#portal/ui/form/fields/useField.tsx'
import { useSettingWords } from './useSettingWords.ts'

const values = Object.values(alarmCriticities).toReversed()

/** A criticity, or none. */
export function CriticityField<T extends Record<string, unknown>>(props: FieldProps<T> & { none: 'never' | 'itsOwn' }) {
  const { criticityName } = useSettingWords()
  const { value, set, leave, input } = useField<number | null, T>(props)
  const { readOnly: _, ...inputProps } = input
  return (
    <NativeSelect
      {...inputProps}
      data={[
        { value: '', label: criticityName(null, props.none) },
        ...values.map((each) => ({ value: String(each), label: criticityName(each, props.none) })),
      ]}
      value={value === null ? '' : String(value)}
      onChange={({ currentTarget }) => set(currentTarget.value === '' ? null : Number(currentTarget.value))}
      onBlur={leave}
    />
  )
}
