import type { KioskState } from '#contract/sales/kiosk.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

/** How the state of a wall display's link is shown. */
export const kioskLooks = {
  open: { tone: 'ok', mark: 'check', word: 'kiosk:state.open' },
  over: { tone: 'mute', mark: 'cross', word: 'kiosk:state.over' },
  withoutCreator: { tone: 'warn', mark: 'cross', word: 'kiosk:state.withoutCreator' },
} as const satisfies Record<KioskState, Appearance>
