import type { AlarmSource } from '#contract/vocabulary/alarm.ts'
import type { MachineEventName } from '#contract/vocabulary/machines/machine-event.ts'
import { clearedByEvent, describeEvent } from '../audits/eva-dts/event-codes.ts'
import { type StockLevel, stockStandingOf } from './stock.ts'

/** Events that report a product as sold out or low. */
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

/** Whether an event says that somebody has filled up the machine. */
export const isRefill = (code: string): boolean => clearedByEvent(code).some(isShortage)

/** Whether an event can change the shortages of a machine: a shortage or a refill. */
export const concernsStock = (code: string): boolean => isShortage(code) || clearedByEvent(code).some(isShortage)

/** The selection that an event says was refilled, or all; undefined for other events. */
export function refilledBy(code: string): { selection: string } | 'all' | undefined {
  const { name, detail } = describeEvent(code)
  if (name === 'allProductsRefilled') return 'all'
  return name === 'productRefilled' && detail !== null ? { selection: detail } : undefined
}

const thingOf = (code: string): string => {
  const { source, detail } = describeEvent(code)
  return `${source} ${detail ?? ''}`
}
const selectionThing = (selection: string): string => `${'product' satisfies AlarmSource} ${selection}`

/**
 * The number of shortages of a machine, by open alarms and low levels. A selection that runs low and then sells out counts
 * once.
 */
export const shortagesIn = (open: readonly string[], selections: readonly string[] = []): number =>
  new Set([...open.filter(isShortage).map(thingOf), ...selections.map(selectionThing)]).size

/**
 * What a machine is short of, by its levels and its open alarms. A selection that its own alarm speaks of is no reason for another
 * one, but counts.
 */
export function stockFactsOf(levels: readonly StockLevel[], open: readonly string[]) {
  const reported = new Set(open.filter(isShortage).map(thingOf))
  const { out, low } = stockStandingOf(levels)
  return {
    shortages: shortagesIn(open, [...out, ...low]),
    stock: stockStandingOf(levels.filter(({ selection }) => !reported.has(selectionThing(selection)))),
  }
}
