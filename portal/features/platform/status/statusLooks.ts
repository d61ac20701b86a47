import type { WatchedState } from '#contract/platform/platform-status.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const statusLooks = {
  ok: { tone: 'ok', mark: 'check', word: 'platform-status:state.ok' },
  warning: { tone: 'warn', mark: 'half', word: 'platform-status:state.warning' },
  critical: { tone: 'crit', mark: 'cross', word: 'platform-status:state.critical' },
  unknown: { tone: 'mute', mark: 'ring', word: 'platform-status:state.unknown' },
} as const satisfies Record<WatchedState, Appearance>
