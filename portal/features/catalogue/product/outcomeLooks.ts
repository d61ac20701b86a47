import type { ImportRow } from '#contract/catalogue/product-import.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

/** The result of an import for a row. */
export const outcomeLooks = {
  create: { tone: 'ok', mark: 'dot', word: 'product-import:outcome.create' },
  update: { tone: 'info', mark: 'half', word: 'product-import:outcome.update' },
  same: { tone: 'mute', mark: 'dash', word: 'product-import:outcome.same' },
  refused: { tone: 'crit', mark: 'cross', word: 'product-import:outcome.refused' },
} as const satisfies Record<ImportRow['outcome'], Appearance>
