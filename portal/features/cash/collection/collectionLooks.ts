import type { CollectionStatus } from '#contract/vocabulary/cash.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const collectionLooks = {
  open: { tone: 'info', mark: 'ring', word: 'vocabulary:collectionStatus.open' },
  counted: { tone: 'gold', mark: 'half', word: 'vocabulary:collectionStatus.counted' },
  disputed: { tone: 'crit', mark: 'triangle', word: 'vocabulary:collectionStatus.disputed' },
  closed: { tone: 'ok', mark: 'check', word: 'vocabulary:collectionStatus.closed' },
} as const satisfies Record<CollectionStatus, Appearance>
