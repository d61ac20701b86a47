import type { RoundStatus, StopStatus, VisitReasonKind } from '#contract/stock/round-status.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const roundLooks = {
  planned: { tone: 'mute', mark: 'ring', word: 'round:status.planned' },
  underway: { tone: 'info', mark: 'half', word: 'round:status.underway' },
  done: { tone: 'ok', mark: 'check', word: 'round:status.done' },
  cancelled: { tone: 'mute', mark: 'cross', word: 'round:status.cancelled' },
} as const satisfies Record<RoundStatus, Appearance>

export const stopLooks = {
  open: { tone: 'mute', mark: 'ring', word: 'round:stop.open' },
  done: { tone: 'ok', mark: 'check', word: 'round:stop.done' },
  skipped: { tone: 'warn', mark: 'cross', word: 'round:stop.skipped' },
} as const satisfies Record<StopStatus, Appearance>

/** Urgent reasons cost money now; the others can wait a day. */
export const reasonTones = {
  blocked: 'crit',
  soldOut: 'crit',
  emptySoon: 'warn',
  cashFull: 'warn',
  auditOverdue: 'mute',
  low: 'mute',
} as const satisfies Record<VisitReasonKind, string>
