import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Day } from '../frame/shapes.ts'
import { BookedOperation, linesOf, PieceLine } from './piece-operation.ts'

/** Pieces of one lot to take; lots are in the order of their last day of sale. */
const PickedLot = z.strictObject({
  lotCode: z.string().nullable(),
  expiresOn: Day.nullable(),
  daysLeft: z.int().nullable(),
  pieces: z.int(),
})

/** A product to bring into the van of a round. */
export const PickLine = z.strictObject({
  productId: z.uuid(),
  product: z.string(),
  productCode: z.string().nullable(),
  /** Pieces to load at the open stops. */
  needed: z.int(),
  /** Pieces that are in the van and may be sold on the round's day. */
  inVan: z.int(),
  /** Pieces to take out of the warehouse: what the van lacks. */
  toPick: z.int(),
  /** Pieces of the warehouse that may be sold; fewer than `toPick`: they do not suffice. */
  has: z.int(),
  lots: z.array(PickedLot),
  /** Pieces in the warehouse and the van whose last day of sale is over on the round's day. */
  expired: z.int(),
})
export type PickLine = z.infer<typeof PickLine>

export const RoundPicking = z.strictObject({
  vanId: z.uuid(),
  vanName: z.string(),
  /** By name. */
  lines: z.array(PickLine),
  /** Pieces to load of selections without a product of the catalogue: they are in no book. */
  unnamed: z.int(),
})
export type RoundPicking = z.infer<typeof RoundPicking>

const path = '/merchants/{merchantId}/rounds/{roundId}/picking' as const
const base = { feature: 'warehouse', finds: ['roundId'] } as const

export const picking = {
  getRoundPicking: endpoint({
    ...base,
    method: 'GET',
    path,
    summary: 'Get what to bring from a warehouse into the van of a round',
    needs: 'visit.write',
    topics: ['round', 'stockPlace', 'product'],
    query: z.strictObject({ stockPlaceId: ids.stockPlaceId }),
    ok: RoundPicking,
    fails: ['RoundNotFound', 'StockPlaceNotFound', 'RoundWithoutVan'],
  }),
  pickRound: endpoint({
    ...base,
    method: 'POST',
    path,
    summary: 'Move picked pieces from a warehouse into the van of a round; the same picking twice is one',
    needs: 'visit.write',
    body: z.strictObject({
      /** Made by the caller: the same picking sent again is booked once. */
      id: z.uuid(),
      stockPlaceId: ids.stockPlaceId,
      lines: linesOf(PieceLine),
    }),
    ok: BookedOperation,
    fails: [
      'RoundNotFound',
      'RoundClosed',
      'RoundWithoutVan',
      'StockPlaceNotFound',
      'SameStockPlace',
      'ProductNotFound',
      'NotEnoughPieces',
      'OperationIdTaken',
    ],
  }),
}
