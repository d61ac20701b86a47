import { useTranslation } from 'react-i18next'
import { posSectors } from '#contract/vocabulary/pos-sector.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import type { FieldProps } from '#portal/ui/form/fields/useField.tsx'

/** The sector of a machine or a client. */
export function SectorField<T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { t } = useTranslation('vocabulary')
  const options = posSectors.map((value) => ({ value: value as string, label: t(`posSector.${value}`) }))
  return (
    <SelectField
      {...props}
      options={[{ value: '', label: t('noPosSector') }, ...options]}
      keep={(value) => (value === '' ? null : value)}
    />
  )
}
