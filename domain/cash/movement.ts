import type { MovementDirection } from '#contract/cash/movement.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { transactionTypes } from '#contract/vocabulary/transaction.ts'
import { isPaidInCash, type Payment } from '#domain/sales/paid-with.ts'

type TypeName = keyof typeof transactionTypes

/** Whether a transaction brings money in or takes it out. Credits, gifts and transfers between accounts do neither. */
const directions = {
  unknown: 'none',
  sale: 'in',
  freeSale: 'none',
  testSale: 'none',
  recharge: 'in',
  bonus: 'none',
  refund: 'out',
  cashIn: 'in',
  cashOut: 'out',
  overpay: 'in',
  manualDispense: 'out',
  tubeFill: 'in',
  collection: 'out',
  creditTransfer: 'none',
  cardPayment: 'in',
  appPayment: 'in',
  reversal: 'out',
  adjustment: 'none',
  cloudRecharge: 'in',
  cloudRefund: 'out',
  webRecharge: 'in',
  creditBackup: 'none',
} as const satisfies Record<TypeName, MovementDirection>

/** Which way money moves with a transaction of a type, by its number; of an unknown one nothing is known. */
export const directionOf = (type: number): MovementDirection => directions[nameOf(transactionTypes, type) ?? 'unknown']

/**
 * Coins and notes that a transaction brings into the machine, in minor units; negative if they leave it. Added up, they are what boxes, tubes
 * and recyclers gain. A payout that failed gave nothing; money that a failed vend charged stays in the machine. Machines report payouts with a
 * minus or without. The function `cash_moved` in SQL is the same.
 */
export function cashMoved(one: Payment & { value: number; errorSale: boolean }): number {
  if (!isPaidInCash(one)) return 0
  const direction = directionOf(one.type)
  if (direction === 'in') return one.value
  return direction === 'out' && !one.errorSale ? 0 - Math.abs(one.value) : 0
}

/** Sums of transactions of one type and medium, in minor units. */
export interface MovementSum {
  type: number
  mediaType: number
  count: number
  /** Machines report refunds with a minus. */
  value: number
  /** Its part in coins and notes: positive into the machine, negative out of it. */
  cash: number
}

/** Amounts in and out, in coins and notes and by other means. The movements have no signs; the largest is first. */
export function movementSums(movements: readonly MovementSum[]) {
  const listed = movements
    .map(({ type, mediaType, count, value, cash }) => {
      const inCash = Math.abs(cash)
      return { type, mediaType, count, value: Math.max(Math.abs(value), inCash), inCash, direction: directionOf(type) }
    })
    .sort((one, other) => other.value - one.value || other.count - one.count || one.type - other.type)
  const sum = (direction: MovementDirection, of: (one: (typeof listed)[number]) => number) =>
    listed.reduce((total, one) => total + (one.direction === direction ? of(one) : 0), 0)
  const inCash = ({ inCash }: (typeof listed)[number]) => inCash
  const otherwise = ({ value, inCash }: (typeof listed)[number]) => value - inCash
  return {
    cash: { in: sum('in', inCash), out: sum('out', inCash) },
    cashless: { in: sum('in', otherwise), out: sum('out', otherwise) },
    movements: listed.map(({ inCash, ...movement }) => ({ ...movement, cash: inCash })),
  }
}
