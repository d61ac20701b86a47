import type {
  PlannedPriceStatus,
  PriceFault,
  PricePlanStatus,
  PriceSync,
  WrongPriceStatus,
} from '#contract/vocabulary/catalogue/price.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

// Colour, mark and word of each state. The tables are total, so a new state compiles only with all three.

export const priceSyncLooks = {
  none: { tone: 'mute', mark: 'dash', word: 'vocabulary:priceSync.none' },
  sync: { tone: 'ok', mark: 'check', word: 'vocabulary:priceSync.sync' },
  pending: { tone: 'info', mark: 'clock', word: 'vocabulary:priceSync.pending' },
  editedOnDevice: { tone: 'warn', mark: 'triangle', word: 'vocabulary:priceSync.editedOnDevice' },
  chargedOtherwise: { tone: 'crit', mark: 'triangle', word: 'vocabulary:priceSync.chargedOtherwise' },
} as const satisfies Record<PriceSync, Appearance>

export const pricePlanLooks = {
  planned: { tone: 'info', mark: 'clock', word: 'vocabulary:pricePlanStatus.planned' },
  started: { tone: 'ok', mark: 'check', word: 'vocabulary:pricePlanStatus.started' },
  cancelled: { tone: 'mute', mark: 'dash', word: 'vocabulary:pricePlanStatus.cancelled' },
} as const satisfies Record<PricePlanStatus, Appearance>

export const plannedPriceLooks = {
  planned: { tone: 'info', mark: 'clock', word: 'vocabulary:plannedPriceStatus.planned' },
  started: { tone: 'ok', mark: 'check', word: 'vocabulary:plannedPriceStatus.started' },
  cancelled: { tone: 'mute', mark: 'dash', word: 'vocabulary:plannedPriceStatus.cancelled' },
  lost: { tone: 'mute', mark: 'ring', word: 'vocabulary:plannedPriceStatus.lost' },
} as const satisfies Record<PlannedPriceStatus, Appearance>

export const wrongPriceStatusLooks = {
  wrong: { tone: 'crit', mark: 'triangle', word: 'vocabulary:wrongPriceStatus.wrong' },
  ended: { tone: 'warn', mark: 'half', word: 'vocabulary:wrongPriceStatus.ended' },
  closed: { tone: 'mute', mark: 'check', word: 'vocabulary:wrongPriceStatus.closed' },
} as const satisfies Record<WrongPriceStatus, Appearance>

export const priceFaultLooks = {
  notSent: { tone: 'info', mark: 'clock', word: 'vocabulary:priceFault.notSent' },
  reported: { tone: 'warn', mark: 'triangle', word: 'vocabulary:priceFault.reported' },
  audited: { tone: 'warn', mark: 'half', word: 'vocabulary:priceFault.audited' },
  charged: { tone: 'crit', mark: 'triangle', word: 'vocabulary:priceFault.charged' },
} as const satisfies Record<PriceFault, Appearance>
