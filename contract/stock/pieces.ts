import { z } from 'zod'

/** More fits into no selection. What fits into one is a rule of its own (domain/stock/bounds.ts). */
export const mostPieces = 100_000

export const Pieces = z.int().min(0).max(mostPieces)
