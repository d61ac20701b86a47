import { auditFile } from '../audit-file.ts'
import type { CashSimulation } from '../cash-works.ts'
import type { ZoneClock } from '../clock.ts'
import { type MachineMemory, tubeFill } from '../memory.ts'
import { type MachinePlan, priceIn } from '../plan.ts'
import type { Random } from '../random.ts'
import type { Breakdowns } from './breakdowns.ts'
import type { ItemWriter } from './item-writer.ts'
import type { Selections } from './selections.ts'

/** The counters restart: the memory was lost or, with a serial, the board was replaced. */
function restartCounters(memory: MachineMemory, board?: string) {
  for (const counted of [...memory.sold, ...memory.soldAtReset])
    Object.assign(counted, { count: 0, value: 0, cashCount: 0, cashValue: 0 })
  for (const counted of [memory.free, memory.test]) Object.assign(counted, { count: 0, value: 0 })
  for (const name of Object.keys(memory.flow) as (keyof typeof memory.flow)[]) memory.flow[name] = 0
  for (const coin of memory.coins) Object.assign(coin, { toBox: 0, toTubes: 0, dispensed: 0 })
  memory.bills.fill(0)
  memory.reads = 0
  if (board !== undefined) memory.board = board
}

/** The report of boxes and tubes, and of the coins and bills since the last report. */
function cashReportOf(plan: MachinePlan, memory: MachineMemory, tubes: readonly number[]) {
  const values = [...plan.coins, ...plan.bills]
  const counted = (counts: number[]) =>
    values.map((value, index) => ({ value, count: counts[index] ?? 0 })).filter(({ count }) => count > 0)
  return {
    box: memory.box,
    boxCapacity: plan.boxCapacity,
    ...(memory.boxed && { boxPieces: counted(memory.boxed) }),
    tubes: tubes.map((value, tube) => ({ value, count: memory.tubes[tube] ?? 0 })),
    recyclers: [],
    accepted: counted(memory.accepted),
    rejected: counted(memory.rejected),
  }
}

/** Service at a machine: visits, collections, readings of its counters and boxes, payouts. */
export function openService(
  plan: MachinePlan,
  memory: MachineMemory,
  random: Random,
  clock: ZoneClock,
  parts: { cash: CashSimulation; selections: Selections; breakdowns: Breakdowns; itemWriter: ItemWriter },
) {
  const { selections } = parts
  const { write, number, sale, event } = parts.itemWriter
  const { tubes, giveOut, canGiveOut } = parts.cash
  const { clear, settle } = parts.breakdowns

  /** A visit: refills, tests and repairs the machine, and collects the money if `takesMoney`. */
  function visit(at: number, takesMoney: boolean) {
    selections.refill()
    event(at, 'OA1B')
    memory.doorAt = at
    const tested = random.pick(plan.selections)
    memory.test.count++
    memory.test.value += priceIn(tested, 1)
    const { line: priceLine, product, code: productCode } = tested
    selections.take(at + 40_000, plan.selections.indexOf(tested))
    sale(at + 40_000, { type: 3, mediaType: 0, mediaSource: 0, priceLine, product, productCode, value: 0 })
    for (const { code } of memory.faults.filter((fault) => fault.until === null)) {
      if (code !== 'OBO' && code !== 'ENE') clear(at + 60_000, code)
    }
    if (takesMoney) collect(at + 90_000)
    settle()
  }

  function collect(at: number) {
    const amount = memory.box
    // What is in the box when it is opened, by denomination.
    reportCash(at)
    sale(at, { type: 12, mediaType: 1, mediaSource: 1, value: amount })
    memory.box = 0
    memory.boxed = [...plan.coins, ...plan.bills].map(() => 0)
    for (const full of ['OBO', 'ENE']) if (memory.faults.some(({ code }) => code === full)) clear(at, full)
    let filled = 0
    tubes.forEach((value, tube) => {
      const missing = Math.max(0, tubeFill - (memory.tubes[tube] ?? 0))
      memory.tubes[tube] = (memory.tubes[tube] ?? 0) + missing
      filled += missing * value
    })
    if (filled > 0) {
      memory.flow.filled += filled
      sale(at + 20_000, { type: 11, mediaType: 1, mediaSource: 1, value: filled })
    }
    audit(at + 35_000, 4)
    memory.soldAtReset = memory.sold.map((one) => ({ ...one }))
  }

  /** Reports the content of boxes and tubes, and the coins and bills accepted and rejected since the last report. */
  function reportCash(at: number) {
    write({ kind: 'cash', seq: number(), at, cash: cashReportOf(plan, memory, tubes) })
    memory.accepted.fill(0)
    memory.rejected.fill(0)
  }

  /**
   * Reads the machine's counters into an audit file, and reports the content of its boxes and tubes at that moment.
   * `origin` is a number of the contract's vocabulary.
   */
  function audit(at: number, origin: number) {
    reportCash(at)
    memory.reads++
    memory.lastAuditAt = at
    const time = clock.local(at + plan.driftSeconds * 1000).slice(0, 19)
    write({ kind: 'audit', seq: number(), at, origin, bytes: auditFile(plan, memory, time, clock) })
  }

  /** Pays an amount out of the tubes in full or not at all. Returns whether it was paid. */
  function payOut(at: number, amount: number): boolean {
    if (!canGiveOut(amount)) return false
    giveOut(amount)
    // Reported as dispensed by hand, not as change.
    memory.flow.dispensed -= amount
    memory.flow.byHand += amount
    sale(at, { type: 10, mediaType: 1, mediaSource: 1, value: amount })
    return true
  }

  return {
    visit,
    reportCash,
    audit,
    loseCounters: (board?: string) => restartCounters(memory, board),
    payOut,
    /** Reads the counters, and restarts those of the interval. */
    closeInterval(at: number, origin: number) {
      audit(at, origin)
      memory.soldAtReset = memory.sold.map((one) => ({ ...one }))
    },
  }
}
