import type { AuditFileOutcome } from '#contract/vocabulary/audit.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

/** What happens, or has happened, to a file. */
export const auditFileLooks = {
  new: { tone: 'info', mark: 'dot', word: 'audit-file:outcome.new' },
  stored: { tone: 'ok', mark: 'check', word: 'audit-file:outcome.stored' },
  known: { tone: 'mute', mark: 'dash', word: 'audit-file:outcome.known' },
  unclear: { tone: 'warn', mark: 'triangle', word: 'audit-file:outcome.unclear' },
  refused: { tone: 'crit', mark: 'cross', word: 'audit-file:outcome.refused' },
} as const satisfies Record<AuditFileOutcome | 'stored', Appearance>
