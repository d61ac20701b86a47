import type { ClaimState } from '#contract/key-portal/claim.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const claimLooks = {
  open: { tone: 'warn', mark: 'clock', word: 'claim:state.open' },
  refunded: { tone: 'ok', mark: 'check', word: 'claim:state.refunded' },
  refused: { tone: 'mute', mark: 'cross', word: 'claim:state.refused' },
  answered: { tone: 'info', mark: 'check', word: 'claim:state.answered' },
} as const satisfies Record<ClaimState, Appearance>
