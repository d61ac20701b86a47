import type { Refill } from '#contract/device-protocol.ts'
import type { MachineMemory } from '../memory.ts'
import type { MachinePlan } from '../plan.ts'
import { levelsOf } from '../stock-report.ts'
import type { ItemWriter } from './item-writer.ts'

/** Vends and refills that a machine remembers. */
const vendsKept = 400
const refillsKept = 200
/** A technician refills, presses the button of the machine and finishes the visit in the portal within this time. */
const sameVisitMs = 2 * 3_600_000

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
    memory.vends = [...(memory.vends ?? []).slice(-vendsKept), [at, index]]
    unreportedLevels.add(index)
    if (left > 0) return
    isUrgent = true
    weights[index] = 0
    event(at, `ELB_${plan.selections[index]?.line}`)
  }

  function count(now: number, { selection, counted, waste, loaded }: Refill['lines'][number], since: number) {
    const index = plan.selections.findIndex(({ line }) => String(line) === selection)
    const planned = plan.selections[index]
    if (!planned) return
    const sold = (memory.vends ?? []).filter(([at, place]) => place === index && at > since).length
    const before = counted === undefined ? (memory.stock[index] ?? 0) : counted - sold
    const left = Math.min(planned.capacity, Math.max(0, before - waste) + loaded)
    if (left > 0 && (memory.stock[index] ?? 0) <= 0) event(now, `ELB_${planned.line}`, false)
    memory.stock[index] = left
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
    /**
     * Counts what a technician did, as the portal says, and reports it with its id: once, and not what its own refill has counted already.
     */
    takeRefill(now: number, { id, at, lines }: Refill) {
      const before = memory.refills ?? []
      const since = Date.parse(at.utc)
      if (!before.includes(id)) {
        memory.refills = [...before, id].slice(-refillsKept)
        const isCounted = (memory.doorAt ?? 0) >= since - sameVisitMs
        if (!isCounted) for (const line of lines) count(now, line, since)
      }
      const places = plan.selections.flatMap(({ line }, index) =>
        lines.some(({ selection }) => selection === String(line)) ? [index] : [],
      )
      // A message about none of its selections is named too.
      const levels = levelsOf(plan, memory, places.length > 0 ? places : undefined)
      write({ kind: 'stock', seq: number(), at: now, levels, refills: [id] })
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
