import type { Gate, ProductFamily } from '#contract/vocabulary/feature.ts'

/** The features of a merchant; under "all merchants" those of any of them. */
export interface MerchantFeatures {
  features: ReadonlySet<Gate>
  families: ReadonlySet<ProductFamily>
}

/** The feature that a screen, column, filter or action requires of the merchant. */
export interface Requirement {
  feature?: Gate | undefined
  family?: ProductFamily | undefined
}

export const isEnabled = ({ feature, family }: Requirement, { features, families }: MerchantFeatures) =>
  (!feature || features.has(feature)) && (!family || families.has(family))

/** Whether a filter is offered: features are each merchant's own, and under "all distributors" nothing is filtered by them. */
export const isFilterOffered = (filter: Requirement, merchant: MerchantFeatures & { isAll: boolean }) =>
  isEnabled(filter, merchant) && !(merchant.isAll && (filter.feature || filter.family))
