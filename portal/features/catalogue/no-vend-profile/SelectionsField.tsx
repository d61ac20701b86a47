import { TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'

/** Selections by name, typed one by one or pasted as a list. */
export const SelectionsField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('no-vend-profile')
  const { value, set, leave, input } = useField<string[], Record<string, unknown>>({
    ...props,
    description: t('hint.selections'),
  })
  return (
    <TagsInput
      {...input}
      value={value}
      onChange={(next) => set(next.map((each) => each.trim()).filter(Boolean))}
      onBlur={leave}
      maxTags={100}
      splitChars={[',', ';', '\t', '\n']}
      acceptValueOnBlur
    />
  )
}
