import { openCashWorks } from './cash-works.ts'
import { signalAt, temperatureAt } from './climate.ts'
import type { ZoneClock } from './clock.ts'
import type { MachineMemory } from './memory.ts'
import type { MachinePlan } from './plan.ts'
import type { Random } from './random.ts'
import { pricesOf } from './stock-report.ts'
import { openBreakdowns } from './works/breakdowns.ts'
import { openSelections } from './works/selections.ts'
import { openService } from './works/service.ts'
import { type Happening, openTelling } from './works/telling.ts'
import { openTill } from './works/till.ts'

export type Vending = ReturnType<typeof openVending>

/**
 * The works of one machine: sells from its stock, counts, fills its boxes, breaks and is repaired. The same works
 * create the demo's history and run its live machines. Items go into the journal and the memory.
 */
export function openVending(
  plan: MachinePlan,
  memory: MachineMemory,
  random: Random,
  clock: ZoneClock,
  tell: (happening: Happening) => void,
) {
  const telling = openTelling(memory, tell)
  const { number, sale } = telling
  const cash = openCashWorks(plan, memory, random)
  const selections = openSelections(plan, memory, telling)
  const breakdowns = openBreakdowns(plan, memory, random, selections, telling)
  const parts = { cash, selections, breakdowns, telling }

  return {
    plan,
    memory,
    ...openTill(plan, memory, random, parts),
    ...openService(plan, memory, random, clock, parts),
    /** Says with which settings it works. `origin` as that of an audit. */
    reportConfiguration: (at: number, parameters: Record<string, string>, origin = 2) =>
      tell({ kind: 'config', seq: number(), at, origin, parameters }),
    strike: breakdowns.strike,
    clear: breakdowns.clear,
    isStopped: breakdowns.isStopped,
    reportStock: selections.reportStock,
    hasUntoldStock: selections.hasUntoldStock,
    emptySelection: selections.emptySelection,
    reportPrices: (at: number) => tell({ kind: 'prices', seq: number(), at, prices: pricesOf(plan) }),
    /** Says what signal it has, and how cold it is inside where it cools. */
    measure(at: number) {
      const temperatureCelsius = temperatureAt(plan, at, memory.doorAt ?? null)
      const reading = {
        signalPercent: signalAt(plan, at),
        ...(temperatureCelsius !== undefined && { temperatureCelsius }),
      }
      tell({ kind: 'reading', seq: number(), at, reading })
    },
    event: telling.event,
    /** Credit from afar shows as a recharge from the cloud. */
    addCredit: (at: number, amount: number) =>
      sale(at, { type: 107, mediaType: 254, mediaSource: 5, value: 0, valueCharge: amount }),
  }
}
