import type { AuthorisationRefusal, MediaFindingKind, ReservationState } from '#contract/vocabulary/cashless.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { noParts, type Parts, partsFor, sumOf, takeFrom } from './ledger.ts'

/*
 * A machine asks before it vends, and the amount is held. The sale that it reports settles the reservation; a machine that never reports loses
 * it after some hours. A settlement that comes too late, or is too high, takes no more than was held, and never what is not there: the rest
 * is unpaid, and a finding names it.
 */

export interface Reservation {
  state: ReservationState
  /** What was held. */
  parts: Parts
}

/** Media statuses that get no credit at a machine. */
const refusedStatuses: Readonly<Record<number, AuthorisationRefusal>> = {
  [mediaStatuses.blocked]: 'blocked',
  [mediaStatuses.lostKey]: 'lost',
}

/** Why a medium in a status gets no credit; null: it may. */
export const refusalOf = (status: number): AuthorisationRefusal | null => refusedStatuses[status] ?? null

/** The parts to hold for an amount of minor units, or why there are none. */
export function authorise(
  media: { status: number; free: Parts },
  amount: number,
): { parts: Parts } | { refusal: AuthorisationRefusal } {
  const refusal = refusalOf(media.status)
  if (refusal) return { refusal }
  const parts = partsFor(media.free, amount)
  return parts ? { parts } : { refusal: 'insufficientCredit' }
}

export interface Settlement {
  /** What the medium pays. */
  collected: Parts
  /** What nothing pays. */
  unpaid: number
  finding: MediaFindingKind | null
}

/**
 * What a sale of `paid` minor units takes from the medium. `free` is what the medium has beside its reservations: an ended reservation keeps
 * nothing.
 */
export function settle({ state, parts }: Reservation, paid: number, free: Parts): Settlement {
  if (state === 'settled') return { collected: noParts, unpaid: 0, finding: 'settledTwice' }
  const held = sumOf(parts)
  const isHeld = state === 'held'
  const collected = takeFrom(isHeld ? parts : free, Math.min(paid, held))
  const unpaid = paid - sumOf(collected)
  const finding = paid > held ? 'settlementAboveReservation' : isHeld || paid === 0 ? null : 'settlementAfterEnd'
  return { collected, unpaid, finding }
}
