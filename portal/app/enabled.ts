import type { Feature, ProductFamily } from '#contract/vocabulary/feature.ts'

/** What a merchant may use; under "all distributors" what any of them may. */
export interface Abilities {
  features: ReadonlySet<Feature>
  families: ReadonlySet<ProductFamily>
}

/** What something wants of the merchant: a screen, a column, a filter, an action. */
export interface Wants {
  feature?: Feature | undefined
  family?: ProductFamily | undefined
}

export const isEnabled = ({ feature, family }: Wants, { features, families }: Abilities) =>
  (!feature || features.has(feature)) && (!family || families.has(family))

/** Whether a filter is offered: features are each merchant's own, and under "all distributors" nothing is filtered by them. */
export const isFilterOffered = (filter: Wants, merchant: Abilities & { isAll: boolean }) =>
  isEnabled(filter, merchant) && !(merchant.isAll && (filter.feature || filter.family))
