import { z } from 'zod'

/** `open`: not counted yet; `counted`; `disputed`: the count differs, and somebody looks for the reason; `closed`: its figures are final. */
export const collectionStatuses = ['open', 'counted', 'disputed', 'closed'] as const
export const CollectionStatus = z.enum(collectionStatuses)
export type CollectionStatus = z.infer<typeof CollectionStatus>

/** What the bank said of a deposit: nothing yet, the amount of the slip, or another one. */
export const depositStatuses = ['open', 'credited', 'differs'] as const
export const DepositStatus = z.enum(depositStatuses)
export type DepositStatus = z.infer<typeof DepositStatus>

/**
 * The kind of the last count where the merchant counts blind: without sight of what is expected, by a user who sees cash boxes, or again, after
 * the figures were shown.
 */
export const countSights = ['blind', 'seen', 'again'] as const
export const CountSight = z.enum(countSights)
export type CountSight = z.infer<typeof CountSight>

/** What reported that a box was taken: the machine's own transaction, a collection audit, a visit, or a cash report with an emptied box. */
export const collectionSources = ['sale', 'audit', 'visit', 'reading'] as const
export const CollectionSource = z.enum(collectionSources)
export type CollectionSource = z.infer<typeof CollectionSource>

/**
 * How the transmitted amount is known: from the machine's own collection transactions, from its cash reports, or from its cash sales since
 * the previous collection, which is an estimate.
 */
export const transmittedBases = ['transaction', 'reading', 'sales'] as const
export const TransmittedBasis = z.enum(transmittedBases)
export type TransmittedBasis = z.infer<typeof TransmittedBasis>

/** The source of transmitted pieces: the last report of the box before it was taken, or the pieces accepted since the previous collection. */
export const piecesBases = ['box', 'accepted'] as const
export const PiecesBasis = z.enum(piecesBases)
export type PiecesBasis = z.infer<typeof PiecesBasis>

/** Devices that give change and are filled for it. */
export const floatDevices = ['tube', 'recycler'] as const
export const FloatDevice = z.enum(floatDevices)
export type FloatDevice = z.infer<typeof FloatDevice>
