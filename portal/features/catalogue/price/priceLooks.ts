import type { PriceFault, PriceSync } from '#contract/vocabulary/catalogue/price.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

// Colour, mark and word of each state. The tables are total, so a new state compiles only with all three.

export const priceSyncLooks = {
  none: { tone: 'mute', mark: 'dash', word: 'vocabulary:priceSync.none' },
  sync: { tone: 'ok', mark: 'check', word: 'vocabulary:priceSync.sync' },
  pending: { tone: 'info', mark: 'clock', word: 'vocabulary:priceSync.pending' },
  editedOnDevice: { tone: 'warn', mark: 'triangle', word: 'vocabulary:priceSync.editedOnDevice' },
} as const satisfies Record<PriceSync, Appearance>

export const priceFaultLooks = {
  notSent: { tone: 'info', mark: 'clock', word: 'vocabulary:priceFault.notSent' },
  reported: { tone: 'warn', mark: 'triangle', word: 'vocabulary:priceFault.reported' },
  audited: { tone: 'warn', mark: 'half', word: 'vocabulary:priceFault.audited' },
  charged: { tone: 'crit', mark: 'triangle', word: 'vocabulary:priceFault.charged' },
} as const satisfies Record<PriceFault, Appearance>
