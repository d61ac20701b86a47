import { MultiSelect } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useProductChoices } from '#portal/features/catalogue/planogram/lines/useProductChoices.ts'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'

const mostShown = 50

/** Products of the profile's merchant, found by code or name. */
export const ProductsField: DrawField = ({ values: _, merchantId, isNullable: __, ...props }) => {
  const { t } = useTranslation(['no-vend-profile', 'form', 'ui'])
  const products = useProductChoices(merchantId)
  const { value, set, leave, input, isFixed } = useField<string[], Record<string, unknown>>({
    ...props,
    isLoading: products === undefined && merchantId !== undefined,
    isDisabled: merchantId === undefined,
    description: t('no-vend-profile:hint.products'),
  })
  const data = useMemo(
    () =>
      products
        ? [...products.byId.keys()].map((id) => ({ value: id, label: products.labelOf(id) ?? id }))
        : value.map((id) => ({ value: id, label: '…' })),
    [products, value],
  )
  return (
    <MultiSelect
      {...input}
      data={data}
      value={value}
      onChange={set}
      onBlur={leave}
      searchable={!isFixed}
      limit={mostShown}
      maxValues={100}
      hidePickedOptions
      placeholder={value.length === 0 ? t('form:field.choose') : undefined}
      nothingFoundMessage={t('ui:found.none')}
    />
  )
}
