import type { SensorReport } from '#contract/device-protocol.ts'
import type { MachineMemory } from './memory.ts'
import type { MachinePlan } from './plan.ts'

const share = (pieces: number, until: number) => Math.min(1, (pieces % Math.round(until * 1.15)) / until)
const percent = (of: number) => Math.round(of * 1000) / 10

/** The dirt levels of a machine's sensors, by usage since they were last cleaned. */
export function soilOf(plan: MachinePlan, memory: MachineMemory): SensorReport[] {
  const coins = memory.coins.reduce((sum, { toBox, toTubes }) => sum + toBox + toTubes, 0)
  const offset = [...plan.serial].reduce((sum, sign) => sum + sign.charCodeAt(0), 0)
  const coin = (name: string, until: number) => ({
    submodule: 'coinValidator',
    name,
    value: percent(share(coins + offset * 40, until)),
  })
  const bills = memory.bills.reduce((sum, count) => sum + count, 0)
  const light = (name: string, until: number) => ({
    submodule: 'billValidator',
    name,
    value: percent(1 - share(bills + offset * 12, until) * 0.6),
  })
  return [
    coin('entry', 9_000),
    coin('diameter', 14_000),
    { submodule: 'coinRecycler', name: 'sorter', value: percent(share(coins + offset * 25, 20_000)) },
    ...(plan.bills.length > 0 ? [light('opticalUpper', 2_500), light('opticalLower', 3_200)] : []),
    // A sensor without thresholds.
    { submodule: 'cabinet', name: 'humidity', value: 35 + (offset % 30) },
  ]
}
