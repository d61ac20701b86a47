import type { StockStatus } from '#contract/vocabulary/stock.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const stockLooks = {
  1: { tone: 'crit', mark: 'triangle', word: 'stock:status.out' },
  4: { tone: 'warn', mark: 'half', word: 'stock:status.low' },
  9: { tone: 'ok', mark: 'check', word: 'stock:status.inStock' },
} as const satisfies Record<StockStatus, Appearance>
