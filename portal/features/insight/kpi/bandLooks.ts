import type { RejectionBand } from '#domain/cash/rejection.ts'

/** The badge of a rejection rate. */
export const bandLooks = {
  none: { tone: 'mute', mark: 'dash' },
  good: { tone: 'ok', mark: 'check' },
  middling: { tone: 'warn', mark: 'triangle' },
  bad: { tone: 'crit', mark: 'triangle' },
} as const satisfies Record<RejectionBand, object>
