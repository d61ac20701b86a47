import { z } from 'zod'

/** A selection's stock status, numbered as in the specification. */
export const stockStatuses = { out: 1, low: 4, inStock: 9 } as const
export const StockStatus = z.literal([1, 4, 9])
export type StockStatus = z.infer<typeof StockStatus>

/** What changed a selection's stock. */
export const stockMovementKinds = ['sale', 'refill', 'correction', 'report', 'waste', 'oversold'] as const
export const StockMovementKind = z.enum(stockMovementKinds)
export type StockMovementKind = z.infer<typeof StockMovementKind>

/** The scope of a level: all hot drinks of a machine in total, or a single cold price line. */
export const stockTypes = { hotTotal: 1, coldByPriceLine: 2 } as const
export const StockType = z.literal([1, 2])
export type StockType = z.infer<typeof StockType>
