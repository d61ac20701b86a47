import type { AlarmSource } from '#contract/vocabulary/alarm.ts'
import type { MachineEventName } from '#contract/vocabulary/machine-event.ts'
import { clearedByEvent, describeEvent } from '../audits/eva-dts/event-codes.ts'
import { type StockLevel, stockStandingOf } from './stock.ts'

/** Events by which machines say that something they sell is gone or will be soon. */
const names: ReadonlySet<MachineEventName> = new Set([
  'soldOut',
  'productLow',
  'ingredientEmpty',
  'syrupEmpty',
  'gasEmpty',
  'cupsLow',
  'cupsEmpty',
])

const isShortage = (code: string): boolean => {
  const { name } = describeEvent(code)
  return name !== null && names.has(name)
}

/** Whether an event can change how much a machine is short of: it says so of something, or that it was refilled. */
export const concernsStock = (code: string): boolean => isShortage(code) || clearedByEvent(code).some(isShortage)

const thingOf = (code: string): string => {
  const { source, detail } = describeEvent(code)
  return `${source} ${detail ?? ''}`
}
const selectionThing = (selection: string): string => `${'product' satisfies AlarmSource} ${selection}`

/** How many things a machine is short of, by its open alarms and by selections whose level is low. What runs low and then out is one thing. */
export const shortagesIn = (open: readonly string[], selections: readonly string[] = []): number =>
  new Set([...open.filter(isShortage).map(thingOf), ...selections.map(selectionThing)]).size

/**
 * What a machine is short of, by its levels and its open alarms. A selection that its own alarm speaks of is no reason for another
 * one, but counts.
 */
export function stockFactsOf(levels: readonly StockLevel[], open: readonly string[]) {
  const said = new Set(open.filter(isShortage).map(thingOf))
  const { out, low } = stockStandingOf(levels)
  return {
    shortages: shortagesIn(open, [...out, ...low]),
    stock: stockStandingOf(levels.filter(({ selection }) => !said.has(selectionThing(selection)))),
  }
}
