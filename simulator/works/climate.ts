import type { MachinePlan } from '../plan.ts'
import { fixedChance } from '../random.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Target temperatures of cooled machines; hot drinks machines report none. */
const setPoints = { cold: 3.8, snack: 8.5, hot: null } as const satisfies Record<MachinePlan['kind'], number | null>
/** An open door lets warm air in for this long; the temperature falls again with this half-life. */
const openMs = 4 * minuteMs
const halfLifeMs = 18 * minuteMs

/** A wave between 0 and 1 with a period, and a phase of the machine's own. */
const wave = (plan: MachinePlan, what: string, at: number, lengthMs: number) =>
  (Math.sin(2 * Math.PI * (at / lengthMs + fixedChance(`${plan.serial} ${what}`))) + 1) / 2

/** The inside temperature to a tenth of a degree; undefined without cooling. `doorAt` is when the door was last opened. */
export function temperatureAt(plan: MachinePlan, at: number, doorAt: number | null): number | undefined {
  const setPoint = setPoints[plan.kind]
  if (setPoint === null) return undefined
  // The compressor switches on and off at its limits: a sawtooth, with a period of each machine's own.
  const periodMs = (28 + 24 * fixedChance(`${plan.serial} compressor`)) * minuteMs
  const phase = (at / periodMs + fixedChance(`${plan.serial} phase`)) % 1
  const saw = phase < 0.62 ? phase / 0.62 : (1 - phase) / 0.38
  const since = doorAt === null ? Number.POSITIVE_INFINITY : at - doorAt
  const opened = 2.4 + 1.2 * fixedChance(`${plan.serial} ${doorAt} warm air`)
  const door =
    since < 0 ? 0 : since < openMs ? (opened * since) / openMs : opened * 0.5 ** ((since - openMs) / halfLifeMs)
  const room = 0.7 * wave(plan, 'room', at, 24 * hourMs)
  const noise = 0.3 * (fixedChance(`${plan.serial} ${Math.floor(at / minuteMs)} probe`) - 0.5)
  return Math.round((setPoint - 0.6 + 1.2 * saw + room + door + noise) * 10) / 10
}

/** The signal in percent: the place's typical value, slightly worse at some hours, and sometimes much worse for a while. */
export function signalAt(plan: MachinePlan, at: number): number {
  const spell = Math.floor(at / (2 * hourMs))
  const dip =
    fixedChance(`${plan.serial} ${spell} dip`) < 0.025 ? 14 + 16 * fixedChance(`${plan.serial} ${spell} deep`) : 0
  const noise = 7 * (fixedChance(`${plan.serial} ${Math.floor(at / (3 * minuteMs))} air`) - 0.5)
  const crowd = 6 * wave(plan, 'crowd', at, 24 * hourMs)
  return Math.round(Math.max(8, Math.min(100, plan.signalPercent + 3 - crowd - dip + noise)))
}
