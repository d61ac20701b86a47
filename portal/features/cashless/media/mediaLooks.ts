import type { MediaStatus } from '#contract/cashless/media.ts'
import type { RefundState, ReservationState } from '#contract/vocabulary/cashless.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const mediaLooks: Record<MediaStatus, Appearance> = {
  0: { tone: 'ok', mark: 'check', word: 'vocabulary:mediaStatus.ok' },
  1: { tone: 'crit', mark: 'cross', word: 'vocabulary:mediaStatus.blocked' },
  2: { tone: 'warn', mark: 'dash', word: 'vocabulary:mediaStatus.lostKey' },
}

export const refundLooks = {
  done: { tone: 'ok', mark: 'check', word: 'vocabulary:refundState.done' },
  waiting: { tone: 'gold', mark: 'clock', word: 'vocabulary:refundState.waiting' },
  collected: { tone: 'ok', mark: 'check', word: 'vocabulary:refundState.collected' },
} as const satisfies Record<RefundState, Appearance>

export const reservationLooks = {
  held: { tone: 'gold', mark: 'clock', word: 'media:reservationState.held' },
  settled: { tone: 'ok', mark: 'check', word: 'media:reservationState.settled' },
  released: { tone: 'info', mark: 'ring', word: 'media:reservationState.released' },
  expired: { tone: 'warn', mark: 'dash', word: 'media:reservationState.expired' },
  unblocked: { tone: 'info', mark: 'ring', word: 'media:reservationState.unblocked' },
} as const satisfies Record<ReservationState, Appearance>
