/** A message that has waited longer than this for its commit is late: the machine will soon send it again. */
export const lateMs = 5_000

/** Bounds of a wait in seconds: long enough to stop repeated sending, short enough to return soon. */
const waitSeconds = { least: 10, most: 20 }

export interface GatewayLoad {
  /** How long the oldest unstored message of each machine has waited, in milliseconds. */
  waitedMs: readonly number[]
  /** Share of the memory for unstored messages that is in use, 0 to 1. */
  memoryShare: number
}

/**
 * Seconds that machines must wait; 0 while the gateway keeps up. It is overloaded when half of the machines that wait for a commit wait too
 * long, or when half of its memory is in use. A single stuck machine among others is no overload.
 */
export function waitOf({ waitedMs, memoryShare }: GatewayLoad): number {
  const late = waitedMs.filter((ms) => ms >= lateMs)
  const isLate = late.length > 0 && late.length * 2 >= waitedMs.length
  if (!isLate && memoryShare < 0.5) return 0
  const longest = late.reduce((most, ms) => Math.max(most, ms), 0)
  return Math.min(waitSeconds.most, Math.max(waitSeconds.least, Math.ceil(longest / 1000)))
}

/**
 * How long a machine waits, in milliseconds: the given time and up to half as long again, so that machines do not return together. `random`
 * is 0 to 1. The gateway itself spreads the ends of waits (0 seconds).
 */
export const waitMsOf = (seconds: number, random: number): number => Math.round(seconds * 1000 * (1 + random / 2))
