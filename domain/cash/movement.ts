import type { MovementDirection } from '#contract/cash/movement.ts'
import { mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'

type TypeName = (typeof transactionTypes)[keyof typeof transactionTypes]

/** Whether money comes with a transaction or goes. What is only credited, given away or moved between accounts does neither. */
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
export const directionOf = (type: number): MovementDirection =>
  directions[transactionTypes[type as keyof typeof transactionTypes] ?? 'unknown']

export interface Movement {
  type: number
  mediaType: number
  count: number
  /** Minor units; refunds come with a minus from the machines. */
  value: number
}

const isCash = ({ mediaType }: Movement) => mediaTypes[mediaType as keyof typeof mediaTypes] === 'cash'

/** What came and went in coins and notes, and what by other means; the movements without their signs, the greatest first. */
export function movementSums(movements: readonly Movement[]) {
  const told = movements
    .map((movement) => ({ ...movement, value: Math.abs(movement.value), direction: directionOf(movement.type) }))
    .sort((one, other) => other.value - one.value || other.count - one.count || one.type - other.type)
  const sum = (direction: MovementDirection, inCash: boolean) =>
    told.reduce((total, one) => total + (one.direction === direction && isCash(one) === inCash ? one.value : 0), 0)
  return {
    cash: { in: sum('in', true), out: sum('out', true) },
    cashless: { in: sum('in', false), out: sum('out', false) },
    movements: told,
  }
}
