import type { TFunction } from 'i18next'
import { type ProductType, productTypes } from '#contract/vocabulary/catalogue/product.ts'

/** The name of a product type. */
export const productTypeName = (t: TFunction, type: ProductType) => t(`vocabulary:productType.${productTypes[type]}`)
