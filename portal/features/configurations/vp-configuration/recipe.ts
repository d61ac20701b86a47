import type { Json } from '#contract/configurations/vp-document.ts'
import { vpValueAt } from '#domain/configurations/vp-document.ts'

/** A step of a recipe as it is drawn; values that are no numbers are drawn as zero. */
export interface Step {
  kind: string
  start: number
  seconds: number
  amount: number
}

const numberAt = (value: Json, name: string) => {
  const one = vpValueAt(value, name)
  return typeof one === 'number' && Number.isFinite(one) ? Math.max(0, one) : 0
}

export const stepsOf = (raw: readonly Json[]): Step[] =>
  raw.map((one) => ({
    kind: String(vpValueAt(one, 'kind') ?? ''),
    start: numberAt(one, 'start'),
    seconds: numberAt(one, 'seconds'),
    amount: numberAt(one, 'amount'),
  }))

/** Tenths of a second, without the errors of binary numbers. */
const tenths = (value: number) => Math.round(value * 10) / 10

/** When a recipe ends, and how much of it is in the cup: rinsing water is not. */
export const totalsOf = (steps: readonly Step[]) => ({
  seconds: tenths(Math.max(0, ...steps.map(({ start, seconds }) => start + seconds))),
  millilitres: steps
    .filter(({ kind }) => kind === 'water' || kind === 'milk')
    .reduce((sum, { amount }) => sum + amount, 0),
})

/** A start moved by some seconds, within its bounds. */
export const withStart = (start: number, by: number, least: number, most: number) =>
  tenths(Math.min(most, Math.max(least, start + by)))

/** Marks of a time axis: at most eight. */
export function ticksOf(span: number): number[] {
  const step = [1, 2, 5, 10, 20, 50].find((one) => span / one <= 8) ?? 50
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => index * step)
}
