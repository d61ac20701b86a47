import type { Refill } from '#contract/device-protocol.ts'
import { openCashSimulation } from './cash-works.ts'
import type { ZoneClock } from './clock.ts'
import type { MachineMemory, VpState } from './memory.ts'
import type { MachinePlan } from './plan.ts'
import type { Random } from './random.ts'
import { pricesOf } from './stock-report.ts'
import { openBreakdowns } from './works/breakdowns.ts'
import { signalAt, temperatureAt } from './works/climate.ts'
import type { Customers } from './works/customers.ts'
import { type MachineItem, openItems } from './works/item-writer.ts'
import { openSelections } from './works/selections.ts'
import { openService } from './works/service.ts'
import { openTill } from './works/till.ts'

export type Vending = ReturnType<typeof openVending>

/**
 * The works of one machine: sells from its stock, counts, fills its boxes, breaks and is repaired. The same works create
 * the demo's history and run its live machines. Items are added to the journal and the memory.
 */
export function openVending(
  plan: MachinePlan,
  memory: MachineMemory,
  random: Random,
  clock: ZoneClock,
  write: (item: MachineItem) => void,
  customers?: Customers,
) {
  const itemWriter = openItems(memory, write)
  const { number, sale } = itemWriter
  const cash = openCashSimulation(plan, memory, random)
  const selections = openSelections(plan, memory, itemWriter)
  const breakdowns = openBreakdowns(plan, memory, random, selections, itemWriter)
  const parts = { cash, selections, breakdowns, itemWriter }

  return {
    plan,
    memory,
    ...openTill(plan, memory, random, clock, parts, customers),
    ...openService(plan, memory, random, clock, parts),
    /** Reports the current settings. `origin` is that of an audit. */
    reportConfiguration: (at: number, parameters: Record<string, string>, origin = 2) =>
      write({ kind: 'config', seq: number(), at, origin, parameters }),
    /** Reports the document of the visual programmer that it works with. */
    reportVp: (at: number, vp: VpState, origin = 2) => write({ kind: 'vpConfig', seq: number(), at, origin, vp }),
    startFault: breakdowns.startFault,
    clear: breakdowns.clear,
    isStopped: breakdowns.isStopped,
    reportStock: selections.reportStock,
    takeRefill(at: number, refill: Refill) {
      selections.takeRefill(at, refill)
      breakdowns.settle()
    },
    unreportedStock: selections.unreportedStock,
    emptySelection: selections.emptySelection,
    reportPrices: (at: number) => write({ kind: 'prices', seq: number(), at, prices: pricesOf(plan) }),
    /** Reports the signal, and the temperature of a cooled machine. */
    measure(at: number) {
      const temperatureCelsius = temperatureAt(plan, at, memory.doorAt ?? null)
      const reading = {
        signalPercent: signalAt(plan, at),
        ...(temperatureCelsius !== undefined && { temperatureCelsius }),
      }
      write({ kind: 'reading', seq: number(), at, reading })
    },
    event: itemWriter.event,
    /** Remote credit appears as a recharge from the cloud. */
    addCredit: (at: number, amount: number) =>
      sale(at, { type: 107, mediaType: 254, mediaSource: 5, value: 0, valueCharge: amount }),
  }
}
