import { z } from 'zod'

/** How a selection stands by its level, as the specification numbers it. */
export const stockStatuses = { out: 1, low: 4, inStock: 9 } as const
export const StockStatus = z.literal([1, 4, 9])
export type StockStatus = z.infer<typeof StockStatus>

/** How a level is counted: the hot drinks of a machine in total, or a cold price line by itself. */
export const stockTypes = { hotTotal: 1, coldByPriceLine: 2 } as const
export const StockType = z.literal([1, 2])
export type StockType = z.infer<typeof StockType>
