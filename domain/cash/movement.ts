import type { MovementDirection } from '#contract/cash/movement.ts'
import { mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'

type TypeName = (typeof transactionTypes)[keyof typeof transactionTypes]

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
export const directionOf = (type: number): MovementDirection =>
  directions[transactionTypes[type as keyof typeof transactionTypes] ?? 'unknown']

export interface Movement {
  type: number
  mediaType: number
  count: number
  /** Minor units; machines report refunds with a minus. */
  value: number
}

const isCash = ({ mediaType }: Movement) => mediaTypes[mediaType as keyof typeof mediaTypes] === 'cash'

/** Amounts in and out, in coins and notes and by other means. The movements have no signs; the largest is first. */
export function movementSums(movements: readonly Movement[]) {
  const listed = movements
    .map((movement) => ({ ...movement, value: Math.abs(movement.value), direction: directionOf(movement.type) }))
    .sort((one, other) => other.value - one.value || other.count - one.count || one.type - other.type)
  const sum = (direction: MovementDirection, inCash: boolean) =>
    listed.reduce((total, one) => total + (one.direction === direction && isCash(one) === inCash ? one.value : 0), 0)
  return {
    cash: { in: sum('in', true), out: sum('out', true) },
    cashless: { in: sum('in', false), out: sum('out', false) },
    movements: listed,
  }
}
