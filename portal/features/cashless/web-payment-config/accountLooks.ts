import type { WebPaymentConfig, WebPaymentTrial } from '#contract/cashless/web-payment-config.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

type AccountState = 'active' | 'paused' | 'notSet'
export const accountStateOf = ({ version, isActive }: WebPaymentConfig): AccountState =>
  version === 0 ? 'notSet' : isActive ? 'active' : 'paused'

export const accountLooks = {
  active: { tone: 'ok', mark: 'check', word: 'web-payment-config:state.active' },
  paused: { tone: 'mute', mark: 'half', word: 'web-payment-config:state.paused' },
  notSet: { tone: 'mute', mark: 'dash', word: 'web-payment-config:state.notSet' },
} as const satisfies Record<AccountState, Appearance>

type TrialState = 'works' | NonNullable<WebPaymentTrial['problem']>
export const trialStateOf = ({ problem }: WebPaymentTrial): TrialState => problem ?? 'works'

export const trialLooks = {
  works: { tone: 'ok', mark: 'check', word: 'web-payment-config:trial.works' },
  refused: { tone: 'crit', mark: 'cross', word: 'web-payment-config:trial.refused' },
  unreachable: { tone: 'warn', mark: 'triangle', word: 'web-payment-config:trial.unreachable' },
} as const satisfies Record<TrialState, Appearance>
