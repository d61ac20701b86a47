import type { DayAgreement, IntervalKind } from '#contract/vocabulary/audit.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const agreementLooks = {
  agrees: { tone: 'ok', mark: 'check', word: 'reconciliation:state.agrees' },
  differs: { tone: 'crit', mark: 'triangle', word: 'reconciliation:state.differs' },
  unknown: { tone: 'mute', mark: 'dash', word: 'reconciliation:state.unknown' },
  notRead: { tone: 'mute', mark: 'ring', word: 'reconciliation:state.notRead' },
} as const satisfies Record<DayAgreement, Appearance>

/** A reading may still arrive before the day is over. */
export const dayLooks = {
  ...agreementLooks,
  notYet: { tone: 'mute', mark: 'clock', word: 'reconciliation:state.notYet' },
} as const satisfies Record<DayAgreement | 'notYet', Appearance>

export const intervalKindLooks = {
  first: { tone: 'mute', mark: 'dot', word: 'reconciliation:kind.first' },
  counted: { tone: 'ok', mark: 'check', word: 'reconciliation:kind.counted' },
  sinceReset: { tone: 'info', mark: 'half', word: 'reconciliation:kind.sinceReset' },
  rolledOver: { tone: 'info', mark: 'half', word: 'reconciliation:kind.rolledOver' },
  partlyReset: { tone: 'warn', mark: 'half', word: 'reconciliation:kind.partlyReset' },
  reset: { tone: 'warn', mark: 'triangle', word: 'reconciliation:kind.reset' },
  boardSwapped: { tone: 'warn', mark: 'triangle', word: 'reconciliation:kind.boardSwapped' },
  otherCurrency: { tone: 'warn', mark: 'triangle', word: 'reconciliation:kind.otherCurrency' },
  notReported: { tone: 'mute', mark: 'cross', word: 'reconciliation:kind.notReported' },
  older: { tone: 'mute', mark: 'cross', word: 'reconciliation:kind.older' },
} as const satisfies Record<IntervalKind, Appearance>
