import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { writeAudit } from '#domain/audits/eva-dts/write-audit.ts'
import type { ZoneClock } from './clock.ts'
import type { MachineMemory, Sold } from './memory.ts'
import { tubeCapacity } from './memory.ts'
import { type MachinePlan, priceIn } from './plan.ts'

const minus = (now: Sold, before: Sold | undefined): Sold => ({
  count: now.count - (before?.count ?? 0),
  value: now.value - (before?.value ?? 0),
  cashCount: now.cashCount - (before?.cashCount ?? 0),
  cashValue: now.cashValue - (before?.cashValue ?? 0),
})
const whole = ({ count, value }: Sold) => ({ count, value })
const cashPart = ({ cashCount, cashValue }: Sold) => ({ count: cashCount, value: cashValue })
const cashlessPart = (sold: Sold) => ({ count: sold.count - sold.cashCount, value: sold.value - sold.cashValue })
const together = (tallies: { count: number; value: number }[]) => ({
  count: tallies.reduce((sum, { count }) => sum + count, 0),
  value: tallies.reduce((sum, { value }) => sum + value, 0),
})

/** The machine's counters as an EVA-DTS file. `time` is that of its own clock, `2026-11-21T08:00:00`. */
export function auditFile(plan: MachinePlan, memory: MachineMemory, time: string, clock: ZoneClock): Uint8Array {
  const since = memory.sold.map((sold, index) => minus(sold, memory.soldAtReset[index]))
  const tally = (part: (sold: Sold) => { count: number; value: number }) => ({
    ...together(memory.sold.map(part)),
    sinceReset: together(since.map(part)),
  })
  const { flow } = memory
  return writeAudit({
    serial: plan.serial,
    model: plan.model,
    software: plan.boot.firmwareVersion,
    boardSerial: memory.board ?? plan.boot.boardSerial,
    decimals: currencies[plan.currency].storageDigits,
    currency: plan.currency,
    time,
    selections: plan.selections.map((selection, index) => {
      const sold = memory.sold[index] ?? { count: 0, value: 0, cashCount: 0, cashValue: 0 }
      const reset = minus(sold, memory.soldAtReset[index])
      return {
        selection: String(selection.line),
        name: selection.product,
        price: priceIn(selection, 1),
        ...whole(sold),
        sinceReset: whole(reset),
        isAbsent: (memory.stock[index] ?? 0) === 0,
        level: memory.stock[index] ?? 0,
        minimum: Math.ceil(selection.capacity / 5),
        payments: [
          { device: 'CA', priceList: 1, ...cashPart(sold), sinceReset: cashPart(reset) },
          {
            device: 'DA',
            priceList: 2,
            price: priceIn(selection, 2),
            ...cashlessPart(sold),
            sinceReset: cashlessPart(reset),
          },
        ],
      }
    }),
    test: memory.test,
    free: memory.free,
    cash: {
      ...tally(cashPart),
      in: { toBox: flow.toBox, toTubes: flow.toTubes, bills: flow.bills },
      dispensed: flow.dispensed,
      dispensedByHand: flow.byHand,
      overpaid: flow.overpaid,
      filled: flow.filled,
    },
    cashless: {
      ...tally(cashlessPart),
      serial: `${plan.boot.boardSerial}K`,
      model: 'CK5',
      software: '0302',
      credited: flow.credited,
    },
    tubes: plan.coins.slice(0, plan.tubes).map((value, tube) => ({
      type: tube,
      value,
      count: memory.tubes[tube] ?? 0,
      isFull: (memory.tubes[tube] ?? 0) >= tubeCapacity,
    })),
    coins: plan.coins.map((value, coin) => ({
      value,
      toBox: memory.coins[coin]?.toBox ?? 0,
      toTubes: memory.coins[coin]?.toTubes ?? 0,
      dispensed: memory.coins[coin]?.dispensed ?? 0,
    })),
    bills: plan.bills.map((value, bill) => ({ value, count: memory.bills[bill] ?? 0 })),
    events: memory.faults.map(({ code, since }) => ({
      code,
      at: clock.local(since + plan.driftSeconds * 1000).slice(0, 19),
    })),
    eventCounters: Object.entries(memory.eventCounts).map(([code, count]) => ({
      code,
      count,
      isActive: memory.faults.some((fault) => fault.code === code),
    })),
    reads: memory.reads,
    powerOutages: memory.powerOutages,
  })
}
