import type { MachinePlan } from '#simulator/plan.ts'
import { fixedChance } from '#simulator/random.ts'

/** Firmware of validators with rejected pieces for each accepted one, and the share of machines that have it or one listed before. */
const coins = [
  { upTo: 0.62, version: '4.10', rejects: 0.035 },
  { upTo: 0.9, version: '4.02', rejects: 0.08 },
  { upTo: 1, version: '2.8', rejects: 0.26 },
] as const
const bills = [
  { upTo: 0.5, version: 'NV9 4.27', rejects: 0.07 },
  { upTo: 0.8, version: 'NV9 4.11', rejects: 0.21 },
  { upTo: 1, version: 'NV9 3.90', rejects: 0.33 },
] as const

/** The validators of a machine, by its serial: old firmware and worn ones reject more. */
export function validatorsOf(serial: string, hasBills: boolean): NonNullable<MachinePlan['validators']> {
  const pick = (kind: string, all: typeof coins | typeof bills) => {
    const at = fixedChance(`${serial} ${kind}`)
    const { version, rejects } = all.find(({ upTo }) => at <= upTo) ?? all[0]
    return { version, rejects: rejects * (0.6 + 0.8 * fixedChance(`${serial} ${kind} wear`)) }
  }
  return { coin: pick('coin', coins), ...(hasBills && { bill: pick('bill', bills) }) }
}
