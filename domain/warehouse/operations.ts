import {
  allArriveAt,
  countedAs,
  type HeldLot,
  isSellable,
  leaving,
  loading,
  movementOf,
  noLot,
  type PieceEntry,
  piecesOf,
  takeFrom,
} from './pieces.ts'

/*
 * Operations as entries of the book. `lotsAt` says what a place has of a product when the operation is booked.
 */

/** The lots of a product at a place. */
export type LotsAt = (placeId: string, productId: string) => readonly HeldLot[]

interface Line {
  productId: string
  pieces: number
}

/** The place of an operation, and the merchant whose accounts are its other side. */
interface Booking {
  merchantId: string
  placeId: string
}

/** What a place has that may be sold on a day: no more leaves it for a van. */
export const sellableAt =
  (lotsAt: LotsAt, day: string): LotsAt =>
  (placeId, productId) =>
    lotsAt(placeId, productId).filter((lot) => isSellable(lot, day))

/** A product of which a place has fewer pieces than an operation takes. */
export interface Shortage extends Line {
  has: number
}

const place = (ownerId: string) => ({ account: 'place', ownerId }) as const

/** A delivery, each line a lot of its own. */
export const deliveryEntries = (
  { merchantId, placeId }: Booking,
  lines: readonly (Line & { lotId: string })[],
  lotsAt: LotsAt,
): PieceEntry[] =>
  [...Map.groupBy(lines, ({ productId }) => productId)].flatMap(([productId, lots]) =>
    movementOf(
      productId,
      { account: 'supplier', ownerId: merchantId },
      place(placeId),
      lots,
      allArriveAt(lotsAt(placeId, productId), lots),
    ),
  )

/** What a place lacks for lines that users book at a desk, where no more can leave than is there. */
export const shortagesOf = (placeId: string, lines: readonly Line[], lotsAt: LotsAt): Shortage[] =>
  lines.flatMap(({ productId, pieces }) => {
    const { missing } = takeFrom(lotsAt(placeId, productId), pieces)
    return missing > 0 ? [{ productId, pieces, has: pieces - missing }] : []
  })

/** Pieces on their way from a place to another one, or out of the merchant's hands. Lots keep their identity. */
export const departureEntries = (
  placeId: string,
  to: { account: 'place' | 'waste' | 'supplier'; ownerId: string },
  lines: readonly Line[],
  lotsAt: LotsAt,
): PieceEntry[] =>
  lines.flatMap(({ productId, pieces }) => {
    const parts = leaving(lotsAt(placeId, productId), pieces)
    const arriving = to.account === 'place' ? allArriveAt(lotsAt(to.ownerId, productId), parts) : parts
    return movementOf(productId, place(placeId), to, parts, arriving)
  })

/** A count, product by product. */
export const countEntries = (
  { merchantId, placeId }: Booking,
  lines: readonly { productId: string; counted: number }[],
  lotsAt: LotsAt,
): PieceEntry[] =>
  lines.flatMap(({ productId, counted }) =>
    movementOf(
      productId,
      { account: 'difference', ownerId: merchantId },
      place(placeId),
      countedAs(lotsAt(placeId, productId), counted),
    ),
  )

/** What a visit loaded into a machine, and what it threw away. */
export interface VisitedProduct {
  productId: string
  loaded: number
  waste: number
}

/** A visit with a van, on a day of the merchant. */
interface Visited extends Booking {
  machineId: string
  day: string
}

/**
 * A visit at a machine with a van: what was loaded leaves the van, also beyond the book, because a visit has happened when it arrives. A count
 * after the visit has missed those pieces already (`isCounted`), so a late visit takes them out of the differences.
 */
export const visitEntries = (
  { merchantId, placeId, machineId, day }: Visited,
  products: readonly VisitedProduct[],
  lotsAt: LotsAt,
  isCounted: (productId: string) => boolean,
): PieceEntry[] => {
  const machine = { account: 'machine', ownerId: machineId } as const
  return products.flatMap(({ productId, loaded, waste }) => {
    const isLate = isCounted(productId)
    const van = isLate ? ({ account: 'difference', ownerId: merchantId } as const) : place(placeId)
    const parts = isLate ? [{ lotId: noLot, pieces: loaded }] : loading(lotsAt(placeId, productId), loaded, day)
    return [
      ...(loaded > 0 ? movementOf(productId, van, machine, parts) : []),
      ...(waste > 0
        ? movementOf(productId, machine, { account: 'waste', ownerId: merchantId }, [{ lotId: noLot, pieces: waste }])
        : []),
    ]
  })
}

/** How many pieces of each product an operation changed at a place. */
export const changesAt = (placeId: string, entries: readonly PieceEntry[]): Map<string, number> => {
  const atPlace = entries.filter(({ account, ownerId }) => account === 'place' && ownerId === placeId)
  return new Map(
    [...Map.groupBy(atPlace, ({ productId }) => productId)].map(([productId, some]) => [productId, piecesOf(some)]),
  )
}
