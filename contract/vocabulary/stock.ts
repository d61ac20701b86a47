import { z } from 'zod'

/** A selection's stock status, numbered as in the specification. */
export const stockStatuses = { out: 1, low: 4, inStock: 9 } as const
export const StockStatus = z.literal([1, 4, 9])
export type StockStatus = z.infer<typeof StockStatus>

/** What changed a selection's stock. */
export const stockMovementKinds = ['sale', 'refill', 'correction', 'report', 'waste', 'oversold'] as const
export const StockMovementKind = z.enum(stockMovementKinds)
export type StockMovementKind = z.infer<typeof StockMovementKind>

/** Who counts the stock of a managed machine: the portal by its books, or the machine by its reports. */
export const stockCounters = ['portal', 'machine'] as const
export const StockCounter = z.enum(stockCounters)
export type StockCounter = z.infer<typeof StockCounter>

/** What needs a decision in a machine's stock: its number differs, or a refill waits for it. */
export const stockFindings = ['difference', 'waiting'] as const
export const StockFinding = z.enum(stockFindings)
export type StockFinding = z.infer<typeof StockFinding>

/** The scope of a level: all hot drinks of a machine in total, or a single cold price line. */
export const stockTypes = { hotTotal: 1, coldByPriceLine: 2 } as const
export const StockType = z.literal([1, 2])
export type StockType = z.infer<typeof StockType>

/** Places of the merchant that hold products. */
export const stockPlaceKinds = ['warehouse', 'van'] as const
export const StockPlaceKind = z.enum(stockPlaceKinds)
export type StockPlaceKind = z.infer<typeof StockPlaceKind>

/** What moves pieces into, out of and between warehouses and vans. */
export const pieceOperationKinds = ['purchase', 'transfer', 'supplierReturn', 'waste', 'count', 'visit'] as const
export const PieceOperationKind = z.enum(pieceOperationKinds)
export type PieceOperationKind = z.infer<typeof PieceOperationKind>

/** What a warehouse or van lost: a count lacked pieces or found some, or they were thrown away, expired or not. */
export const pieceLossKinds = ['missing', 'found', 'expired', 'waste'] as const
export const PieceLossKind = z.enum(pieceLossKinds)
export type PieceLossKind = z.infer<typeof PieceLossKind>
