import type { AuditCounter } from '#contract/vocabulary/audit.ts'
import type { AuditCounters } from './audit-counters.ts'

/*
 * Counters "since the last reset" start at zero when a reading resets them. EA3 counts the readings that reset, so two readings show
 * where their counters started.
 */

/**
 * When the counters of the later reading were last reset: not since the previous reading, at that reading, after it, or it cannot be known.
 */
export type ResetSpan = 'none' | 'atPrevious' | 'between' | 'unknown'

/** A counter that the machine keeps both ways shows it: it moved by all of the other, or by its growth. */
function spanByCounters(before: AuditCounters, now: AuditCounters): ResetSpan | undefined {
  for (const name of Object.keys(now.lines) as AuditCounter[]) {
    for (const part of [0, 1] as const) {
      const first = before.lines[name]?.[part] ?? null
      const last = now.lines[name]?.[part] ?? null
      const firstReset = before.sinceReset?.[name]?.[part] ?? null
      const lastReset = now.sinceReset?.[name]?.[part] ?? null
      if (first === null || last === null || firstReset === null || lastReset === null) continue
      // Without any movement both are true.
      if (last <= first || firstReset === 0) continue
      if (last - first === lastReset) return 'atPrevious'
      if (last - first === lastReset - firstReset) return 'none'
    }
  }
  return undefined
}

/** Whether no other reading was between the two, as far as they say. */
function areNeighbours({ readings: before }: AuditCounters, { readings: now }: AuditCounters): boolean {
  if (!before || !now) return false
  // Some machines leave this number at zero.
  const readings = before.all === null || now.all === null ? 0 : now.all - before.all
  if (readings > 0) return readings === 1
  return before.at === null || now.previousAt === null || before.at === now.previousAt
}

export function resetSpanOf(before: AuditCounters, now: AuditCounters): ResetSpan {
  if (!now.sinceReset) return 'unknown'
  const spanOfCounters = spanByCounters(before, now)
  if (spanOfCounters) return spanOfCounters
  const first = before.readings?.resets ?? null
  const last = now.readings?.resets ?? null
  if (first === null || last === null || last < first) return 'unknown'
  if (last === first) return 'none'
  return last === first + 1 && areNeighbours(before, now) ? 'atPrevious' : 'between'
}
