import type { PriceRule } from '#contract/catalogue/price-change.ts'
import type { Place } from '#portal/app/place.ts'

interface PriceChangeSearch {
  posIds?: readonly string[]
  /** All machines with this planogram, and their number. */
  planogram?: { id: string; machines: number }
  rule?: PriceRule['kind']
}

/** The wizard that changes prices, with its machines and its rule chosen. */
export const placeOfChange = ({ posIds, planogram, rule }: PriceChangeSearch): Place => ({
  to: '/devices/prices/change',
  search: {
    ...(posIds && { posIds: [...posIds] }),
    ...(planogram && { planogramId: planogram.id, matching: String(planogram.machines) }),
    ...(rule && { rule }),
  },
})
