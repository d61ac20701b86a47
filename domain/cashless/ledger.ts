import type { AccountKind, OperationKind } from '#contract/vocabulary/cashless.ts'

/*
 * The ledger of cloud credit, double entry: an operation moves minor units between accounts, and its entries add up to zero. Credit and bonus
 * of a medium never fall below zero, nor below what machines hold of them.
 */

export interface Account {
  id: string
  kind: AccountKind
  /** A medium, a machine, a payment configuration, or the merchant itself. */
  ownerId: string
  /** Minor units. */
  balance: number
  /** The part of the balance that reservations hold. */
  reserved: number
}

/** A part of an operation, by its account. */
export interface Entry {
  kind: AccountKind
  ownerId: string
  /** Minor units, not zero. */
  amount: number
}

export interface Operation {
  kind: OperationKind
  /** One key, one effect. */
  key: string
  entries: readonly Entry[]
}

/** The two accounts of a medium. */
export interface MediaAccounts {
  credit: Account
  bonus: Account
}

/** Minor units of each of the two accounts. */
export interface Parts {
  credit: number
  bonus: number
}

export const noParts: Parts = { credit: 0, bonus: 0 }
export const sumOf = ({ credit, bonus }: Parts): number => credit + bonus
export const balanceOf = ({ credit, bonus }: MediaAccounts): Parts => ({ credit: credit.balance, bonus: bonus.balance })

/** What nothing holds. */
export const freeOf = ({ credit, bonus }: MediaAccounts): Parts => ({
  credit: credit.balance - credit.reserved,
  bonus: bonus.balance - bonus.reserved,
})

/** An amount out of two parts, the bonus first; less when there is less. */
export function takeFrom(available: Parts, amount: number): Parts {
  const bonus = Math.min(available.bonus, amount)
  return { bonus, credit: Math.min(available.credit, amount - bonus) }
}

/** The parts that pay a whole amount, the bonus first; null when there is too little. */
export function partsFor(available: Parts, amount: number): Parts | null {
  const parts = takeFrom(available, amount)
  return sumOf(parts) === amount ? parts : null
}

export const isBalanced = (entries: readonly Entry[]): boolean =>
  entries.reduce((sum, { amount }) => sum + amount, 0) === 0

const mustCover = (kind: AccountKind) => kind === 'credit' || kind === 'bonus'

/** Whether the accounts may have these amounts: what belongs to holders covers what is held of it. */
export const isSound = ({ kind, balance, reserved }: Account): boolean =>
  Number.isSafeInteger(balance) &&
  (mustCover(kind) ? balance >= 0 && reserved >= 0 && reserved <= balance : reserved === 0)

/** Entries between a medium's two accounts and another account, without zero amounts. */
export function entriesOf(mediaId: string, parts: Parts, other: { kind: AccountKind; ownerId: string }): Entry[] {
  return [
    { kind: 'credit' as const, ownerId: mediaId, amount: parts.credit },
    { kind: 'bonus' as const, ownerId: mediaId, amount: parts.bonus },
    { ...other, amount: -sumOf(parts) },
  ].filter(({ amount }) => amount !== 0)
}

export const minus = ({ credit, bonus }: Parts): Parts => ({ credit: -credit, bonus: -bonus })
