import type { MachineMemory } from '../memory.ts'
import type { MachinePlan } from '../plan.ts'
import { levelsOf } from '../stock-report.ts'
import type { Telling } from './telling.ts'

export type Selections = ReturnType<typeof openSelections>

/** A machine's selections: stock, availability, and levels still to be reported. */
export function openSelections(plan: MachinePlan, memory: MachineMemory, { tell, number, event }: Telling) {
  /** Selections by how much they are wanted; zero while one cannot be had. */
  const weights = plan.selections.map(() => 0)
  /** Selections with an unreported level; empty and refilled ones are reported at once. */
  const untold = new Set<number>()
  let isUrgent = false

  function take(at: number, index: number) {
    const left = (memory.stock[index] ?? 0) - 1
    memory.stock[index] = left
    untold.add(index)
    if (left > 0) return
    isUrgent = true
    weights[index] = 0
    event(at, `ELB_${plan.selections[index]?.line}`)
  }

  return {
    weights,
    take,
    /** Offers what there is, but for selections that are blocked. */
    offerAllBut(blocked: ReadonlySet<number>) {
      plan.selections.forEach(({ weight }, index) => {
        weights[index] = (memory.stock[index] ?? 0) > 0 && !blocked.has(index) ? weight : 0
      })
    },
    refill() {
      plan.selections.forEach(({ capacity }, index) => {
        memory.stock[index] = capacity
        untold.add(index)
      })
      isUrgent = true
    },
    /** Says what is left of everything, or of what has changed since it was said. */
    reportStock(at: number, changed?: 'changed') {
      const levels = levelsOf(plan, memory, changed && [...untold].sort((one, other) => one - other))
      untold.clear()
      isUrgent = false
      if (levels.length > 0) tell({ kind: 'stock', seq: number(), at, levels })
    },
    /** Whether levels must be reported: at once, or at the usual time. */
    hasUntoldStock: () => (isUrgent ? 'urgent' : untold.size > 0 ? 'some' : null),
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
