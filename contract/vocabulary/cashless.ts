/* Words of cloud credit. A positive balance of a medium is money that its holder has. */

/** Accounts of the ledger. `credit` and `bonus` belong to media; the others are sources and destinations of credit. */
export const accountKinds = [
  'credit',
  'bonus',
  /** Per machine: what was paid, inserted or collected there. */
  'machine',
  /** Per payment configuration: money that a payment provider took. */
  'provider',
  'refunds',
  'bonuses',
  /** Vends that nothing paid: a machine settled more than it held, or after its reservation had ended. */
  'unpaid',
  'corrections',
] as const
export type AccountKind = (typeof accountKinds)[number]

export const operationKinds = [
  /** Paid on the web. */
  'recharge',
  /** Paid in at a machine. */
  'machineRecharge',
  'sale',
  'refund',
  /** A refund or cloud credit that a machine wrote onto the key. */
  'collection',
  'bonus',
  'lostKey',
  /** A payment that its provider took back. */
  'reversal',
  'correction',
] as const
export type OperationKind = (typeof operationKinds)[number]

export const reservationStates = ['held', 'settled', 'released', 'expired', 'unblocked'] as const
export type ReservationState = (typeof reservationStates)[number]

export const reservationPurposes = ['vend', 'collect'] as const

/** Why a machine gets no credit. */
export const authorisationRefusals = [
  'anonymous',
  'unknownMedia',
  'blocked',
  'lost',
  'insufficientCredit',
  'nothingToCollect',
  'notEnabled',
  /** The request is in another currency than the merchant's. */
  'otherCurrency',
  /** The reservation with this id has ended. */
  'ended',
  /** Another machine or purpose used the same id. */
  'idTaken',
] as const
export type AuthorisationRefusal = (typeof authorisationRefusals)[number]

/** Why a machine gets no code to link a key. */
export const linkCodeRefusals = ['anonymous', 'unknownMedia', 'blocked', 'lost', 'alreadyLinked', 'notEnabled'] as const
export type LinkCodeRefusal = (typeof linkCodeRefusals)[number]

/** What cannot be right about a medium. */
export const mediaFindingKinds = [
  /** A later use has a lower counter: the key was restored from a copy. */
  'counterBackwards',
  /** Two uses have one counter. */
  'counterReused',
  /** The credit changed between two uses that follow each other. */
  'unexplainedCredit',
  'settlementAboveReservation',
  'settlementAfterEnd',
  'settlementWithoutReservation',
  'settledTwice',
  /** A machine gave back a sale that had been refunded. */
  'reversedAfterRefund',
  /** A recharge above a limit is kept until a person books or refuses it. */
  'rechargeKept',
  /** A key has more credit, or was recharged with more, than the limits of credit in the cloud. */
  'keyCreditAboveLimit',
  /** Many wrong codes were typed to link it to a customer's account. */
  'linkGuessed',
] as const
export type MediaFindingKind = (typeof mediaFindingKinds)[number]

/** A recharge above a limit: undecided, credited, not credited, or taken back by its payment provider. */
export const keptStates = ['open', 'booked', 'refused', 'reversed'] as const
export type KeptState = (typeof keptStates)[number]

export const mediaOrigins = ['machine', 'staff', 'app', 'webPayment'] as const
export type MediaOrigin = (typeof mediaOrigins)[number]

export const refundKinds = ['cloud', 'machine'] as const
/** `waiting`: held for the machine at which the medium collects it. */
export const refundStates = ['done', 'waiting', 'collected'] as const
export type RefundState = (typeof refundStates)[number]

/** Why a failed vend is not refunded to its payer. */
export const saleRefusals = [
  /** The machine charged nothing. */
  'uncharged',
  /** The machine itself gave the money back. */
  'reversed',
  'refunded',
  /** Paid without a medium: in cash, or by a bank card. */
  'cash',
  'card',
  /** The medium has no serial, or none that is registered. */
  'unknownMedia',
  'blockedMedia',
  /** Not below the merchant's maximum refund. */
  'aboveMaximum',
  /** The medium would have more than the largest balance. */
  'balanceAboveLimit',
] as const
export type SaleRefusal = (typeof saleRefusals)[number]

/** Media types with an owner and a serial: key, card, app, mifare, special. */
export const ownMediaTypes: readonly number[] = [2, 3, 4, 7, 254]
