import type { RejectionBand } from '#domain/cash/rejection.ts'

/** How rejection rates look: green below 15 percent, yellow to 20, red above. */
export const bandLooks = {
  none: { tone: 'mute', mark: 'dash' },
  good: { tone: 'ok', mark: 'check' },
  middling: { tone: 'warn', mark: 'triangle' },
  bad: { tone: 'crit', mark: 'triangle' },
} as const satisfies Record<RejectionBand, object>
