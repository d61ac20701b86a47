import { saying } from '#contract/frame/broken.ts'
import type { VisitLine } from '#contract/stock/visit.ts'
import { excessOf, type Held } from './bounds.ts'

/** A selection as the machine or its planogram has it, with its level before the visit. */
export interface VisitedSelection extends Held {
  selection: string
}

export interface LineFault {
  path: string
  code: 'custom'
  message: string
  rule: string
  values?: Record<string, unknown>
}

const faultAt = (path: string, name: Parameters<typeof saying>[0], values?: Record<string, unknown>): LineFault => {
  const { message } = saying(name)
  return { path, code: 'custom', message, rule: message, ...(values && { values }) }
}

const isNothing = ({ loaded, waste, counted }: VisitLine) => loaded === 0 && waste === 0 && counted === null

/**
 * What is wrong with the lines of a visit: a selection that neither planogram nor machine has, or a number that is impossible. Where the
 * portal's level is wrong, the technician counts.
 */
export function faultsOfVisit(lines: readonly VisitLine[], selections: readonly VisitedSelection[]): LineFault[] {
  const bySelection = new Map(selections.map((one) => [one.selection, one]))
  return lines.flatMap((line, at) => {
    if (isNothing(line)) return []
    const selection = bySelection.get(line.selection)
    if (!selection) return [faultAt(`lines.${at}.selection`, 'choice')]
    const excess = excessOf(selection, line)
    return excess ? [faultAt(`lines.${at}.${excess.field}`, 'maximum', { maxValue: excess.most })] : []
  })
}

/** The oldest visit that is accepted late, in days: as long as machines may be silent. */
const latestVisitDays = 90

export const isTooLate = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > latestVisitDays * 86_400_000

/** When a visit happened: as the phone says, but never in the future. */
export const visitTime = (reported: Date, now: Date): Date => (reported > now ? now : reported)

/** What a visit books, in its order: counted first, then what was taken out, then what was loaded. */
export function bookingsOf(lines: readonly Omit<VisitLine, 'planned'>[]) {
  return lines.flatMap(({ selection, counted, waste, loaded }) => [
    ...(counted === null ? [] : [{ selection, kind: 'correction' as const, amount: counted }]),
    ...(waste === 0 ? [] : [{ selection, kind: 'waste' as const, amount: waste }]),
    ...(loaded === 0 ? [] : [{ selection, kind: 'refill' as const, amount: loaded }]),
  ])
}
