import { mediaSources, mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'

export const { cash } = mediaTypes

/** Coins or notes move, whatever medium the machine names. */
const cashTypes: readonly number[] = [
  transactionTypes.cashIn,
  transactionTypes.cashOut,
  transactionTypes.overpay,
  transactionTypes.manualDispense,
  transactionTypes.tubeFill,
  transactionTypes.collection,
]
/** Media that have an account: with coins or notes from a cash device, they are what was loaded or read, not what paid. */
const accountMedia: readonly number[] = [
  mediaTypes.unknown,
  mediaTypes.key,
  mediaTypes.card,
  mediaTypes.app,
  mediaTypes.mifare,
]
const cashSources: readonly number[] = [mediaSources.coinMech, mediaSources.billValidator]
const { recharge } = transactionTypes

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
