import type { UserStatus } from '#contract/vocabulary/user.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const userStatusLooks = {
  invited: { tone: 'info', mark: 'clock', word: 'user:status.invited' },
  active: { tone: 'ok', mark: 'dot', word: 'user:status.active' },
  suspended: { tone: 'mute', mark: 'cross', word: 'user:status.suspended' },
} as const satisfies Record<UserStatus, Appearance>
