import type { LicenceStatus, LicenceStatusName } from '#contract/vocabulary/licence.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const licenceLooks = {
  pending: { tone: 'mute', mark: 'ring', word: 'vocabulary:licenceStatus.pending' },
  sent: { tone: 'info', mark: 'clock', word: 'vocabulary:licenceStatus.sent' },
  confirmed: { tone: 'info', mark: 'half', word: 'vocabulary:licenceStatus.confirmed' },
  activated: { tone: 'ok', mark: 'check', word: 'vocabulary:licenceStatus.activated' },
  deactivated: { tone: 'warn', mark: 'dash', word: 'vocabulary:licenceStatus.deactivated' },
  unassigned: { tone: 'mute', mark: 'cross', word: 'vocabulary:licenceStatus.unassigned' },
  expired: { tone: 'crit', mark: 'triangle', word: 'vocabulary:licenceStatus.expired' },
} as const satisfies Record<LicenceStatusName, Appearance>

export const nameOfStatus = (status: LicenceStatus): LicenceStatusName => nameOf(licenceStatuses, status)
