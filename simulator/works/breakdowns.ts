import { faultOf } from '../faults.ts'
import type { MachineMemory } from '../memory.ts'
import { type MachinePlan, type Tender, tenders } from '../plan.ts'
import type { Random } from '../random.ts'
import type { ItemWriter } from './item-writer.ts'
import type { Selections } from './selections.ts'

export const isCash = (tender: Tender) => tender === 'coins' || tender === 'bills'

export type Breakdowns = ReturnType<typeof openBreakdowns>

/** The faults of a machine, and the selections and tenders out of service. */
export function openBreakdowns(
  plan: MachinePlan,
  memory: MachineMemory,
  random: Random,
  selections: Selections,
  { event }: ItemWriter,
) {
  const lineIndex = new Map(plan.selections.map(({ line }, index) => [line, index]))
  /** Relative use of tenders; zero while a tender is out of service. */
  const payments = plan.payments.map(() => 0)
  let isStopped = false
  settle()

  /** Updates the available selections and tenders after a change. */
  function settle() {
    const stopped = new Set<string>()
    const blocked = new Set<number>()
    for (const { code } of memory.faults) {
      const fault = faultOf(code)
      if (fault?.stops === 'selection') blocked.add(lineIndex.get(Number(code.split('_')[1])) ?? -1)
      else if (fault) stopped.add(fault.stops)
    }
    isStopped = stopped.has('everything')
    plan.payments.forEach((weight, index) => {
      const cash = isCash(tenders[index] ?? 'coins')
      payments[index] = stopped.has(cash ? 'cash' : 'cashless') ? 0 : weight
    })
    selections.offerAllBut(blocked)
  }

  /** Starts a fault. A selection's fault picks a random one when the code names none. Returns the reported code. */
  function startFault(at: number, faultCode: string, until: number | null): string | undefined {
    const fault = faultOf(faultCode)
    const code =
      fault?.stops === 'selection' && !faultCode.includes('_')
        ? `${faultCode}_${random.pick(plan.selections).line}`
        : faultCode
    if (memory.faults.some((fault) => fault.code === code)) return undefined
    memory.faults.push({ code, since: at, until })
    if (fault?.cuts === 'power') memory.powerOutages++
    else if (fault?.cuts !== 'network') event(at, code)
    settle()
    return code
  }

  /** Ends a fault. A power or network cut is reported only now, since the machine could not send before. */
  function clear(at: number, code: string) {
    const index = memory.faults.findIndex((fault) => fault.code === code)
    const [ended] = index < 0 ? [] : memory.faults.splice(index, 1)
    if (!ended) return
    const fault = faultOf(code)
    if (fault?.cuts) event(Math.min(ended.since + 2000, at), code)
    if (fault?.endsWith) event(at, fault.endsWith)
    else event(at, code, false)
    settle()
  }

  return { payments, settle, startFault, clear, isStopped: () => isStopped }
}
