import type { ImportedRow } from '#contract/imports/import.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

/** What an import does with a row. */
export const outcomeLooks = {
  create: { tone: 'ok', mark: 'dot', word: 'import:outcome.create' },
  update: { tone: 'info', mark: 'half', word: 'import:outcome.update' },
  same: { tone: 'mute', mark: 'dash', word: 'import:outcome.same' },
  refused: { tone: 'crit', mark: 'cross', word: 'import:outcome.refused' },
} as const satisfies Record<ImportedRow['outcome'], Appearance>

export const stateLooks = {
  done: { tone: 'ok', mark: 'dot', word: 'import:state.done' },
  undone: { tone: 'mute', mark: 'dash', word: 'import:state.undone' },
} as const satisfies Record<'done' | 'undone', Appearance>
