import type { ConfigItem, PricesItem, ResultItem, StockItem, VpConfigItem } from '#contract/device-protocol.ts'
import { vpReportOf } from '../downloads/vp.ts'
import type { MachineItem } from './item-writer.ts'

/** An item in the form of its kind's batch. `clockOf` is the machine's clock. */
export function itemOf(machineItem: MachineItem, clockOf: (at: number) => string): object {
  const { seq } = machineItem
  const at = clockOf(machineItem.at)
  if (machineItem.kind === 'sale') return { seq, at, ...machineItem.sale }
  if (machineItem.kind === 'event') return { seq, at, code: machineItem.code, active: machineItem.active }
  if (machineItem.kind === 'cash') return { seq, at, ...machineItem.cash }
  if (machineItem.kind === 'reading') return { seq, at, ...machineItem.reading }
  if (machineItem.kind === 'config') {
    const { origin, parameters } = machineItem
    return { seq, at, origin, port: 'mqtt', parameters } satisfies ConfigItem
  }
  if (machineItem.kind === 'vpConfig') {
    const { origin, vp } = machineItem
    return { seq, at, origin, ...vpReportOf(vp) } satisfies VpConfigItem
  }
  if (machineItem.kind === 'stock') {
    const levels = machineItem.levels.map(({ refilledAt, ...level }) => ({
      ...level,
      ...(refilledAt !== null && { refilledAt: clockOf(refilledAt) }),
      gone: false,
    }))
    const { refills } = machineItem
    return { seq, at, levels, ...(refills && { refills }) } satisfies StockItem
  }
  if (machineItem.kind === 'prices')
    return { seq, at, prices: machineItem.prices.map((price) => ({ ...price, gone: false })) } satisfies PricesItem
  if (machineItem.kind === 'credit') return { seq, at, ...machineItem.credit }
  if (machineItem.kind === 'result') {
    const { commandId, outcome, info } = machineItem
    return { seq, at, commandId, outcome, info } satisfies ResultItem
  }
  throw new TypeError(`Items of kind ${machineItem.kind} do not travel in batches.`)
}
