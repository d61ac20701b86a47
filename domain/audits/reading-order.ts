import type { AuditCounters, Lines } from './audit-counters.ts'

/** A clock with an earlier time was never set. */
const firstSet = '2020'

/** Whether a counter of the later reading is above the earlier one. */
function hasGrown(before: Lines, now: Lines): boolean {
  return Object.entries(before).some(([name, counted]) =>
    counted.some(
      (value, part) =>
        value !== null &&
        (now[name as keyof Lines]?.[part] ?? null) !== null &&
        (now[name as keyof Lines]?.[part] ?? 0) > value,
    ),
  )
}

/**
 * Whether a reading was taken before the previous one. Its own clock decides, or, without clocks, its number among the machine's readings
 * (EA3), provided that no counter is higher. A machine with a cleared memory starts its number at 1.
 */
export function isOlder(before: AuditCounters, now: AuditCounters): boolean {
  if (hasGrown(before.lines, now.lines)) return false
  const [first, last] = [before.clock, now.clock].map((clock) => (clock && clock >= firstSet ? clock : null))
  if (first && last) return last < first
  return (['all', 'resets'] as const).some((each) => {
    const earlier = before.readings?.[each] ?? null
    const later = now.readings?.[each] ?? null
    return earlier !== null && later !== null && later < earlier && later > 1
  })
}
