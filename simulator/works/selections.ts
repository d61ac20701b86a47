import type { MachineMemory } from '../memory.ts'
import type { MachinePlan } from '../plan.ts'
import { levelsOf } from '../stock-report.ts'
import type { ItemWriter } from './item-writer.ts'

export type Selections = ReturnType<typeof openSelections>

/** A machine's selections: stock, availability, and unreported levels. */
export function openSelections(plan: MachinePlan, memory: MachineMemory, { write, number, event }: ItemWriter) {
  /** Popularity of selections; zero while unavailable. */
  const weights = plan.selections.map(() => 0)
  /** Selections with an unreported level. Empty and refilled selections are reported at once. */
  const unreportedLevels = new Set<number>()
  let isUrgent = false

  function take(at: number, index: number) {
    const left = (memory.stock[index] ?? 0) - 1
    memory.stock[index] = left
    unreportedLevels.add(index)
    if (left > 0) return
    isUrgent = true
    weights[index] = 0
    event(at, `ELB_${plan.selections[index]?.line}`)
  }

  return {
    weights,
    take,
    /** Makes all selections with stock available, except blocked ones. */
    offerAllBut(blocked: ReadonlySet<number>) {
      plan.selections.forEach(({ weight }, index) => {
        weights[index] = (memory.stock[index] ?? 0) > 0 && !blocked.has(index) ? weight : 0
      })
    },
    refill() {
      plan.selections.forEach(({ capacity }, index) => {
        memory.stock[index] = capacity
        unreportedLevels.add(index)
      })
      isUrgent = true
    },
    /** Reports all levels, or the levels that changed since the last report. */
    reportStock(at: number, changed?: 'changed') {
      const levels = levelsOf(plan, memory, changed && [...unreportedLevels].sort((one, other) => one - other))
      unreportedLevels.clear()
      isUrgent = false
      if (levels.length > 0) write({ kind: 'stock', seq: number(), at, levels })
    },
    /** Whether levels must be reported: at once, or at the usual time. */
    unreportedStock: () => (isUrgent ? 'urgent' : unreportedLevels.size > 0 ? 'some' : null),
    /** Empties the best seller that still has stock. Returns its line. */
    emptySelection(at: number): number | undefined {
      const index = weights.indexOf(Math.max(...weights))
      const selection = plan.selections[index]
      if (!selection || (weights[index] ?? 0) <= 0) return undefined
      memory.stock[index] = 1
      take(at, index)
      return selection.line
    },
  }
}
