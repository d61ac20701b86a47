import { localeOf } from '#domain/frame/locale.ts'

const steps = [
  ['minute', 60],
  ['hour', 24],
  ['day', Number.POSITIVE_INFINITY],
] as const

/** A duration in its largest whole unit, short: "32 min". Empty within the first minute. */
export function writeLasting(since: Date, now: Date, language: string): string | undefined {
  let amount = Math.floor((now.getTime() - since.getTime()) / 60_000)
  if (amount < 1) return undefined
  for (const [unit, size] of steps) {
    if (amount < size)
      return new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'short' }).format(amount)
    amount = Math.floor(amount / size)
  }
  return undefined
}
