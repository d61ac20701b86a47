import { firstExpiredFirst, type HeldLot, isSellable, type LotPieces, piecesOf, takeFrom } from './pieces.ts'

/** What a product needs, and the lots of it in a van and a warehouse. */
interface Picked {
  needed: number
  van: readonly HeldLot[]
  warehouse: readonly HeldLot[]
  /** The day of the round: what has expired by then is not loaded. */
  day: string
}

/**
 * What to bring into a van for its round: pieces by lot, in the order of their last day of sale. What a van owes was loaded without being booked
 * in, so it does not add to what is needed.
 */
export function pickOf({ needed, van, warehouse, day }: Picked) {
  const sellable = (lots: readonly HeldLot[]) => lots.filter((lot) => isSellable(lot, day))
  const inVan = Math.max(0, piecesOf(sellable(van)))
  const has = Math.max(0, piecesOf(sellable(warehouse)))
  const toPick = Math.max(0, needed - inVan)
  const lots: LotPieces[] = takeFrom(sellable(warehouse), toPick).parts
  const expired = piecesOf([...van, ...warehouse].filter((lot) => !isSellable(lot, day)))
  return { needed, inVan, toPick, has, lots, expired }
}

/** What a van has of a product on a day: pieces that may be sold, the last day of sale of those to load first, and expired pieces. */
export function inVanOf(lots: readonly HeldLot[], day: string) {
  const sellable = firstExpiredFirst(lots.filter((lot) => lot.pieces > 0 && isSellable(lot, day)))
  return {
    pieces: Math.max(0, piecesOf(lots.filter((lot) => isSellable(lot, day)))),
    firstExpiresOn: sellable[0]?.expiresOn ?? null,
    expired: Math.max(0, piecesOf(lots.filter((lot) => !isSellable(lot, day)))),
  }
}
