import { z } from 'zod'

/** How a selection stands by its level, as the specification numbers it. */
export const stockStatuses = { out: 1, low: 4, inStock: 9 } as const
export const StockStatus = z.literal([1, 4, 9])
export type StockStatus = z.infer<typeof StockStatus>
