import type { ProductParameter } from '#contract/catalogue/product.ts'
import type { Allergen, ProductType } from '#contract/vocabulary/catalogue/product.ts'
import type { ValueSay } from '#portal/ui/form/record/RecordForm.tsx'
import { productTypeName } from './productTypeName.ts'

/** The text of a product field's value that is not plain text. */
export function valueText(field: string, value: unknown, { t, format, currency }: ValueSay): string | undefined {
  if (field === 'productType') return productTypeName(t, value as ProductType)
  if (field === 'vat') return format.number(Number(value), { maximumFractionDigits: 2 })
  if (field === 'cost' || field === 'defaultPrice') return currency && format.money(Number(value), currency)
  if (field === 'allergens') return (value as Allergen[]).map((one) => t(`vocabulary:allergen.${one}`)).join(', ')
  if (field === 'parameters') return (value as ProductParameter[]).map((one) => `${one.name}: ${one.value}`).join(', ')
  return undefined
}
