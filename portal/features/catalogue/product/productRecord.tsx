import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Product, products } from '#contract/catalogue/product.ts'
import { productCodes } from '#contract/catalogue/product-code.ts'
import { productEdits } from '#contract/catalogue/product-edit.ts'
import { NewProduct } from '#contract/catalogue/product-fields.ts'
import { allergens, ProductType } from '#contract/vocabulary/catalogue/product.ts'
import { call } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { idOf, oneOf } from '#portal/app/search.ts'
import { MultiSelectField } from '#portal/ui/form/choices/MultiSelectField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { MoneyField } from '#portal/ui/form/fields/MoneyField.tsx'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { type DrawField, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { ParametersField } from './ParametersField.tsx'
import { productTypeName } from './productTypeName.ts'
import { valueText } from './valueText.ts'

const TypeField: DrawField = ({ values: _, ...field }) => {
  const { t } = useTranslation('vocabulary')
  const options = ProductType.options.map((value) => ({ value, label: productTypeName(t, value) }))
  return <SelectField {...field} options={options} />
}
const description: DrawField = ({ values: _, ...field }) => (
  <Box className="whole">
    <TextField {...field} rows={2} />
  </Box>
)
const vat: DrawField = ({ values: _, ...field }) => <NumberField {...field} digits={2} unit="%" min={0} max={100} />
const count: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => (
  <NumberField {...field} min={0} />
)
const AmountField: DrawField = ({ values: _, ...field }) => {
  const { currency } = useMerchant()
  // Under all merchants there is no currency yet.
  return <MoneyField {...field} currency={currency ?? 'EUR'} isDisabled={currency === undefined} />
}
const AllergensField: DrawField = ({ values: _, ...field }) => {
  const { t } = useTranslation('vocabulary')
  const options = allergens.map((value) => ({ value, label: t(`allergen.${value}`) }))
  return (
    <Box className="whole">
      <MultiSelectField {...field} options={options} />
    </Box>
  )
}

/** A product as users create and edit it. */
export const { Create, Details } = recordScreens<Product>({
  words: 'product',
  schema: NewProduct,
  cards: {
    what: { code: text, name: text, productType: TypeField, gtin: text, description, allergens: AllergensField },
    trade: { vat, cost: AmountField, defaultPrice: AmountField, defaultFill: count },
    buying: { supplier: text, packSize: count, minimumPacks: count, leadDays: count },
    parameters: { parameters: ParametersField },
  },
  param: 'productId',
  get: products.getProduct,
  create: productEdits.createProduct,
  update: productEdits.updateProduct,
  placeOf: ({ id }) => ({ to: '/manage/products/$productId', params: { productId: id } }),
  list: { to: '/manage/products' },
  valueText,
  fromAddress: (query) => ({
    ...(oneOf(query, 'code') && { code: oneOf(query, 'code')?.slice(0, 40) }),
    ...(oneOf(query, 'name') && { name: oneOf(query, 'name') }),
  }),
  onCreated: async ({ id, merchantId }, query) => {
    const productCodeId = idOf(query, 'productCode')
    if (!productCodeId) return
    await call(productCodes.mapProductCode, { params: { merchantId, productCodeId }, body: { productId: id } })
  },
})
