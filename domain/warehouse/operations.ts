import { arriveAt, countedAs, type HeldLot, leaving, moved, type PieceEntry, piecesOf, takeFrom } from './pieces.ts'

/*
 * Operations as entries of the book. `lotsOf` says what a place has of a product when the operation is booked.
 */

/** The lots of a product at a place. */
export type LotsAt = (placeId: string, productId: string) => readonly HeldLot[]

interface Line {
  productId: string
  pieces: number
}

/** A product of which a place has fewer pieces than an operation takes. */
export interface Shortage {
  productId: string
  pieces: number
  has: number
}

const place = (ownerId: string) => ({ account: 'place', ownerId }) as const

/** A delivery, each line a lot of its own. */
export const purchased = (
  { placeId, merchantId }: { placeId: string; merchantId: string },
  lines: readonly (Line & { lotId: string })[],
  lotsAt: LotsAt,
): PieceEntry[] => {
  // Two lots of one product: the second finds what the first has settled.
  const owed = new Map<string, readonly HeldLot[]>()
  return lines.flatMap(({ productId, pieces, lotId }) => {
    const lots = owed.get(productId) ?? lotsAt(placeId, productId)
    const arrived = arriveAt(lots, lotId, pieces)
    owed.set(productId, [...lots, ...arrived.map((part) => ({ ...part, expiresOn: null, receivedAt: new Date(0) }))])
    return moved(productId, { account: 'supplier', ownerId: merchantId }, place(placeId), [{ lotId, pieces }], arrived)
  })
}

/** What a place lacks for lines that users book at a desk, where no more can leave than is there. */
export const shortagesOf = (placeId: string, lines: readonly Line[], lotsAt: LotsAt): Shortage[] =>
  lines.flatMap(({ productId, pieces }) => {
    const { missing } = takeFrom(lotsAt(placeId, productId), pieces)
    return missing > 0 ? [{ productId, pieces, has: pieces - missing }] : []
  })

/** Pieces on their way from a place to another one, or out of the merchant's hands. Lots keep their identity. */
export const taken = (
  placeId: string,
  to: { account: 'place' | 'waste' | 'supplier'; ownerId: string },
  lines: readonly Line[],
  lotsAt: LotsAt,
): PieceEntry[] =>
  lines.flatMap(({ productId, pieces }) => {
    const leave = leaving(lotsAt(placeId, productId), pieces)
    if (to.account !== 'place') return moved(productId, place(placeId), to, leave)
    let lots = lotsAt(to.ownerId, productId)
    const arrive = leave.flatMap((part) => {
      const arrived = arriveAt(lots, part.lotId, part.pieces)
      lots = [...lots, ...arrived.map((each) => ({ ...each, expiresOn: null, receivedAt: new Date(0) }))]
      return arrived
    })
    return moved(productId, place(placeId), to, leave, arrive)
  })

/** A count, product by product. */
export const counted = (
  { placeId, merchantId }: { placeId: string; merchantId: string },
  lines: readonly { productId: string; counted: number }[],
  lotsAt: LotsAt,
): PieceEntry[] =>
  lines.flatMap((line) =>
    moved(
      line.productId,
      { account: 'difference', ownerId: merchantId },
      place(placeId),
      countedAs(lotsAt(placeId, line.productId), line.counted),
    ),
  )

/** How many pieces of each product an operation changed at a place. */
export const changesAt = (placeId: string, entries: readonly PieceEntry[]): Map<string, number> => {
  const atPlace = entries.filter(({ account, ownerId }) => account === 'place' && ownerId === placeId)
  return new Map(
    [...Map.groupBy(atPlace, ({ productId }) => productId)].map(([productId, some]) => [productId, piecesOf(some)]),
  )
}
