/*
 * The book of pieces: double entry, in pieces of products. An operation moves pieces from accounts to accounts, so its entries of a product
 * add up to zero. Warehouses and vans hold lots; machines, suppliers, waste and differences are the other sides.
 */

/** A kind of account. The owner of a place or machine is its id, of the others the merchant. */
export type PieceAccountKind = 'place' | 'machine' | 'supplier' | 'waste' | 'difference'

/** The lot of pieces that no delivery explains: what was loaded beyond the book (negative), or found by a count (positive). */
export const noLot = '00000000-0000-0000-0000-000000000000'

/** Pieces of a lot at a place. `expiresOn` is the last day of sale, null for a product without one; `receivedAt` is when the lot arrived. */
export interface HeldLot {
  lotId: string
  expiresOn: string | null
  receivedAt: Date
  pieces: number
}

/** A change of one account, of one product and lot; positive: the account got pieces. */
export interface PieceEntry {
  account: PieceAccountKind
  ownerId: string
  productId: string
  lotId: string
  pieces: number
}

export const piecesOf = (lots: readonly { pieces: number }[]): number =>
  lots.reduce((sum, { pieces }) => sum + pieces, 0)

/** Lots in the order in which they leave: first expired, first out; those without a date follow by their arrival. */
export const firstExpiredFirst = <L extends HeldLot>(lots: readonly L[]): L[] =>
  lots.toSorted(
    (one, other) =>
      compareDates(one.expiresOn, other.expiresOn) ||
      one.receivedAt.getTime() - other.receivedAt.getTime() ||
      (one.lotId < other.lotId ? -1 : 1),
  )

const compareDates = (one: string | null, other: string | null) => {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

/** Pieces of a lot. */
export interface LotPieces {
  lotId: string
  pieces: number
}

/**
 * Which lots pieces are taken from, first expired first out. `missing` pieces are in no lot: they are beyond the book.
 */
export function takeFrom(lots: readonly HeldLot[], pieces: number): { parts: LotPieces[]; missing: number } {
  const parts: LotPieces[] = []
  let missing = pieces
  for (const lot of firstExpiredFirst(lots)) {
    const part = Math.min(missing, lot.pieces)
    if (part <= 0) continue
    parts.push({ lotId: lot.lotId, pieces: part })
    missing -= part
  }
  return { parts, missing }
}

/** Pieces beyond the book that a place owes of a product, at least 0. A place that owes some has nothing in lots. */
export const owedBy = (lots: readonly HeldLot[]): number =>
  Math.max(0, -piecesOf(lots.filter(({ lotId }) => lotId === noLot)))

/**
 * How pieces of a lot arrive at a place: what was loaded beyond the book is settled first, so that the order of an arrival and a load does not
 * change how many pieces there are.
 */
export function arriveAt(lots: readonly HeldLot[], lotId: string, pieces: number): LotPieces[] {
  const settled = lotId === noLot ? 0 : Math.min(owedBy(lots), pieces)
  return [
    { lotId: noLot, pieces: settled },
    { lotId, pieces: pieces - settled },
  ].filter((part) => part.pieces > 0)
}

/** The same for pieces of several lots: a later one finds what an earlier one has settled. */
export function allArriveAt(lots: readonly HeldLot[], parts: readonly LotPieces[]): LotPieces[] {
  let held = lots
  return parts.flatMap(({ lotId, pieces }) => {
    const arrived = arriveAt(held, lotId, pieces)
    held = [...held, ...arrived.map((part) => ({ ...part, expiresOn: null, receivedAt: new Date(0) }))]
    return arrived
  })
}

/** Whether a lot may be sold on a day (YYYY-MM-DD): its last day of sale is one of them. */
export const isSellable = ({ expiresOn }: Pick<HeldLot, 'expiresOn'>, day: string): boolean =>
  expiresOn === null || expiresOn >= day

/**
 * What is loaded to be sold on a day: lots that may be sold first. What is beyond them was still loaded: it is of expired lots, or else of no lot.
 */
export function loading(lots: readonly HeldLot[], pieces: number, day: string): LotPieces[] {
  const { parts, missing } = takeFrom(
    lots.filter((lot) => isSellable(lot, day)),
    pieces,
  )
  if (missing === 0) return parts
  const expired = lots.filter((lot) => !isSellable(lot, day))
  return [...parts, ...leaving(expired, missing)]
}

/** What leaves a place, also beyond the book: the rest is of no lot. */
export function leaving(lots: readonly HeldLot[], pieces: number): LotPieces[] {
  const { parts, missing } = takeFrom(lots, pieces)
  return missing > 0 ? [...parts, { lotId: noLot, pieces: missing }] : parts
}

/**
 * The changes of a place's lots that make a product as many as were counted. Missing pieces are of the lots that leave first; pieces too many
 * are of no lot.
 */
export function countedAs(lots: readonly HeldLot[], counted: number): LotPieces[] {
  const difference = counted - piecesOf(lots)
  if (difference >= 0) return difference === 0 ? [] : [{ lotId: noLot, pieces: difference }]
  return leaving(lots, -difference).map(({ lotId, pieces }) => ({ lotId, pieces: -pieces }))
}

/** Whether each product of an operation leaves as many pieces as arrive. */
export const isBalanced = (entries: readonly PieceEntry[]): boolean =>
  [...Map.groupBy(entries, ({ productId }) => productId).values()].every((ofProduct) => piecesOf(ofProduct) === 0)

/** Both sides of a movement. */
export const movementOf = (
  productId: string,
  from: Pick<PieceEntry, 'account' | 'ownerId'>,
  to: Pick<PieceEntry, 'account' | 'ownerId'>,
  leave: readonly LotPieces[],
  arrive: readonly LotPieces[] = leave,
): PieceEntry[] => [
  ...leave.map(({ lotId, pieces }) => ({ ...from, productId, lotId, pieces: -pieces })),
  ...arrive.map(({ lotId, pieces }) => ({ ...to, productId, lotId, pieces })),
]
