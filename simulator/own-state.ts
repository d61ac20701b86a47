import type { MachineMemory, OwnState } from './memory.ts'
import type { MachinePlan } from './plan.ts'
import { makersSettings } from './settings.ts'

const untouched = (): OwnState => ({ settings: {}, prices: {}, firmwareVersion: null, versions: {} })

/** A machine's own state in its memory; by default that of the factory. */
export function ownStateOf(memory: MachineMemory): OwnState {
  memory.own ??= untouched()
  return memory.own
}

/** How it is configured: as its maker set it, but for what was changed since. */
export const settingsOf = (plan: MachinePlan, memory: MachineMemory): Record<string, string> => ({
  ...makersSettings(plan),
  ...ownStateOf(memory).settings,
})

/** A plan with what was changed since; its prices and its firmware can be changed in place. */
export function personalPlan(plan: MachinePlan, memory: MachineMemory): MachinePlan {
  const own = structuredClone(plan)
  takeOn(own, plan, memory)
  return own
}

/** Brings a machine's plan up to date with its own state, after that has changed. */
export function takeOn(own: MachinePlan, makers: MachinePlan, memory: MachineMemory): void {
  const { prices, firmwareVersion } = ownStateOf(memory)
  own.boot.firmwareVersion = firmwareVersion ?? makers.boot.firmwareVersion
  makers.selections.forEach(({ line, price, keyPrice }, index) => {
    const selection = own.selections[index]
    if (selection) Object.assign(selection, prices[line] ?? { price, keyPrice })
  })
}

/** Back to what its maker set; the firmware and what else was installed stays. */
export function forgetOwn(memory: MachineMemory): void {
  const { firmwareVersion, versions } = ownStateOf(memory)
  memory.own = { ...untouched(), firmwareVersion, versions }
}
