export interface DiskSample {
  at: Date
  used: number
  total: number
}

/** Shares of a disk at which the provider is warned. */
export const diskWarnings = [0.8, 0.9] as const

const dayMs = 86_400_000
/** A shorter record says nothing of the growth. */
const leastMs = dayMs

/** Bytes by which the use grows in a day: the line through all samples (least squares); undefined for a short record. */
export function growthPerDay(samples: readonly DiskSample[]): number | undefined {
  const [first] = samples
  const last = samples.at(-1)
  if (!first || !last || last.at.getTime() - first.at.getTime() < leastMs) return undefined
  const days = samples.map(({ at }) => (at.getTime() - first.at.getTime()) / dayMs)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = mean(days)
  const level = mean(samples.map(({ used }) => used))
  const spread = days.reduce((sum, day) => sum + (day - middle) ** 2, 0)
  const along = samples.reduce((sum, { used }, index) => sum + ((days[index] ?? 0) - middle) * (used - level), 0)
  return along / spread
}

/** Days until a disk is filled to a share; 0 when it is, undefined when it does not grow or its record is short. Samples: the oldest first. */
export function daysUntil(samples: readonly DiskSample[], share: number): number | undefined {
  const last = samples.at(-1)
  if (!last) return undefined
  const left = last.total * share - last.used
  if (left <= 0) return 0
  const growth = growthPerDay(samples)
  return growth !== undefined && growth > 0 ? left / growth : undefined
}
