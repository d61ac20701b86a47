import type { InstalledVersion } from '#contract/device-protocol.ts'
import { Peripheral } from '#contract/vocabulary/remote-command.ts'
import type { MachineMemory, OwnState } from './memory.ts'
import { type MachinePlan, priceIn, type Selection } from './plan.ts'
import type { Random } from './random.ts'
import { makersSettings } from './settings.ts'
import { priceTablesOf } from './stock-report.ts'

const untouched = (): OwnState => ({ settings: {}, prices: {}, firmwareVersion: null, versions: {} })

/** A machine's own state in its memory; by default the factory's. */
export function ownStateOf(memory: MachineMemory): OwnState {
  memory.own ??= untouched()
  return memory.own
}

/** Its configuration: the factory's, with later changes. */
export const settingsOf = (plan: MachinePlan, memory: MachineMemory): Record<string, string> => ({
  ...makersSettings(plan),
  ...ownStateOf(memory).settings,
})

/** A plan with later changes; its prices and firmware can be changed in place. */
export function personalPlan(plan: MachinePlan, memory: MachineMemory): MachinePlan {
  const effective = structuredClone(plan)
  applyOwnState(effective, plan, memory)
  return effective
}

/** Updates a machine's plan after its own state has changed. */
export function applyOwnState(effective: MachinePlan, makers: MachinePlan, memory: MachineMemory): void {
  const { prices, firmwareVersion } = ownStateOf(memory)
  effective.boot.firmwareVersion = firmwareVersion ?? makers.boot.firmwareVersion
  makers.selections.forEach((made, index) => {
    const selection = effective.selections[index]
    if (selection) selection.prices = [...(prices[made.line] ?? made.prices)]
  })
}

/** Changes prices of a machine, by selection and price table; without a table all tables of the selection. */
export function setPrices(
  effective: MachinePlan,
  makers: MachinePlan,
  memory: MachineMemory,
  changes: readonly { selection: Selection; priceTable?: number | undefined; price: number }[],
): void {
  const { prices } = ownStateOf(memory)
  for (const { selection, priceTable, price } of changes)
    prices[selection.line] = (prices[selection.line] ?? selection.prices).map((before, index) =>
      priceTable === undefined || priceTable === index + 1 ? price : before,
    )
  applyOwnState(effective, makers, memory)
}

/**
 * A technician changes one price at the machine: back to the factory's if it was changed, otherwise up by a twentieth, at least by
 * the smallest coin.
 */
export function editOnePrice(effective: MachinePlan, makers: MachinePlan, memory: MachineMemory, random: Random): void {
  const index = random.int(0, effective.selections.length - 1)
  const selection = effective.selections[index]
  const made = makers.selections[index]
  if (!selection || !made) return
  const priceTable = random.pick(priceTablesOf(effective))
  const now = priceIn(selection, priceTable)
  const before = priceIn(made, priceTable)
  const step = effective.coins[0] ?? 1
  const price = now === before ? now + Math.max(step, Math.round(now / 20 / step) * step) : before
  setPrices(effective, makers, memory, [{ selection, priceTable, price }])
}

/** Restores the factory settings. Firmware and other installed software stay. */
export function restoreFactory(memory: MachineMemory): void {
  const { firmwareVersion, versions } = ownStateOf(memory)
  memory.own = { ...untouched(), firmwareVersion, versions }
}

/** What it runs beside its firmware, as a hello says it. */
export const installedIn = (memory: MachineMemory): InstalledVersion[] =>
  Object.entries(ownStateOf(memory).versions).flatMap(([what, version]): InstalledVersion[] => {
    if (what === 'cash') return [{ kind: 'cashDatabase', version }]
    const [part, of] = what.split(' ')
    const peripheral = Peripheral.safeParse(part).data
    if (!peripheral || !of) return []
    return [{ kind: of === 'firmware' ? 'peripheralFirmware' : 'peripheralDatabase', peripheral, version }]
  })
