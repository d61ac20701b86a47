import type { RetrievalStatus } from '#contract/vocabulary/insight/data-retrieval.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const retrievalLooks: Record<RetrievalStatus, Appearance> = {
  created: { tone: 'info', mark: 'clock', word: 'data-retrieval-request:status.created' },
  completed: { tone: 'ok', mark: 'check', word: 'data-retrieval-request:status.completed' },
  expired: { tone: 'mute', mark: 'dash', word: 'data-retrieval-request:status.expired' },
  error: { tone: 'crit', mark: 'cross', word: 'data-retrieval-request:status.error' },
}
