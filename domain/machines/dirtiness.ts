import type { Dirtiness } from '#contract/vocabulary/machines/sensor.ts'

export interface SensorThreshold {
  warning: number
  critical: number
  /** Dirt makes the value grow; false: it makes it fall. */
  valuesIncrease: boolean
}

/** The dirt level of a sensor by its value. A value equal to a threshold reaches it. */
export function dirtinessOf(value: number, threshold: SensorThreshold | null): Dirtiness {
  if (threshold === null) return 'unknown'
  const { warning, critical, valuesIncrease } = threshold
  const isReached = (limit: number) => (valuesIncrease ? value >= limit : value <= limit)
  return isReached(critical) ? 'critical' : isReached(warning) ? 'warning' : 'ok'
}
