import type { Dirtiness } from '#contract/vocabulary/machines/sensor.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const sensorLooks = {
  unknown: { tone: 'mute', mark: 'ring', word: 'sensor:state.unknown' },
  ok: { tone: 'ok', mark: 'check', word: 'sensor:state.ok' },
  warning: { tone: 'warn', mark: 'half', word: 'sensor:state.warning' },
  critical: { tone: 'crit', mark: 'triangle', word: 'sensor:state.critical' },
} as const satisfies Record<Dirtiness, Appearance>
