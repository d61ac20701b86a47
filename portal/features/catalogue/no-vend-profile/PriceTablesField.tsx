import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'

/** Price tables by their numbers. */
export const PriceTablesField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation(['no-vend-profile', 'vocabulary', 'form'])
  const { value, set, leave, input, isFixed } = useField<number[], Record<string, unknown>>({
    ...props,
    description: t('no-vend-profile:hint.priceTables'),
  })
  return (
    <MultiSelect
      {...input}
      data={Object.entries(priceTables).map(([name, number]) => ({
        value: String(number),
        label: t(`vocabulary:priceTable.${name}`),
      }))}
      value={value.map(String)}
      onChange={(next) => set(next.map(Number).toSorted((one, other) => one - other))}
      onBlur={leave}
      disabled={isFixed}
      hidePickedOptions
      placeholder={value.length === 0 ? t('form:field.choose') : undefined}
    />
  )
}
