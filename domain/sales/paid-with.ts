import { mediaSources, mediaTypes, numberOf, transactionTypes } from '#contract/vocabulary/transaction.ts'

type TypeName = (typeof transactionTypes)[keyof typeof transactionTypes]
type MediaName = (typeof mediaTypes)[keyof typeof mediaTypes]
type SourceName = (typeof mediaSources)[keyof typeof mediaSources]

export const cash = numberOf(mediaTypes, 'cash')

/** Coins or notes move, whatever medium the machine names. */
const cashTypes = (
  ['cashIn', 'cashOut', 'overpay', 'manualDispense', 'tubeFill', 'collection'] satisfies TypeName[]
).map((name) => numberOf<TypeName>(transactionTypes, name))
/** Media that have an account: with coins or notes from a cash device, they are what was loaded or read, not what paid. */
const accountMedia = (['unknown', 'key', 'card', 'app', 'mifare'] satisfies MediaName[]).map((name) =>
  numberOf<MediaName>(mediaTypes, name),
)
const cashSources = (['coinMech', 'billValidator'] satisfies SourceName[]).map((name) =>
  numberOf<SourceName>(mediaSources, name),
)
const recharge = numberOf(transactionTypes, 'recharge')

export interface Payment {
  type: number
  mediaType: number
  mediaSource: number
  /** What the machine says itself. */
  paidWith?: number | null | undefined
}

/**
 * The medium type that paid. The machine's own word decides. Without it, it is the medium of the transaction, with two exceptions: the
 * medium of a recharge at the machine is what was loaded, and a key at the coin mechanism did not pay. The function `paid_with` in SQL is the same.
 */
export function paidWithOf({ type, mediaType, mediaSource, paidWith }: Payment): number {
  if (paidWith !== undefined && paidWith !== null) return paidWith
  if (cashTypes.includes(type)) return cash
  if (!accountMedia.includes(mediaType)) return mediaType
  return type === recharge || cashSources.includes(mediaSource) ? cash : mediaType
}

export const isPaidInCash = (payment: Payment): boolean => paidWithOf(payment) === cash
