import type { WebhookMessageState, WebhookState } from '#contract/merchants/webhook-vocabulary.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const webhookLooks = {
  working: { tone: 'ok', mark: 'check', word: 'webhook:state.working' },
  failing: { tone: 'warn', mark: 'half', word: 'webhook:state.failing' },
  stopped: { tone: 'crit', mark: 'cross', word: 'webhook:state.stopped' },
  off: { tone: 'mute', mark: 'ring', word: 'webhook:state.off' },
  noSecret: { tone: 'warn', mark: 'ring', word: 'webhook:state.noSecret' },
} as const satisfies Record<WebhookState, Appearance>

export const messageLooks = {
  waiting: { tone: 'info', mark: 'half', word: 'webhook:messageState.waiting' },
  delivered: { tone: 'ok', mark: 'check', word: 'webhook:messageState.delivered' },
  failed: { tone: 'crit', mark: 'cross', word: 'webhook:messageState.failed' },
} as const satisfies Record<WebhookMessageState, Appearance>
