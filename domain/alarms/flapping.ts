/**
 * A fault that comes back within this time after it ended is the same alarm, with one more time: it was not repaired. Half an hour is longer
 * than a restart, a test vend or a jam that frees itself, and shorter than the way of a technician who comes to repair it.
 */
export const flapMillis = 30 * 60_000

/** An alarm that the machine, or its rule, has ended. */
export interface EndedAlarm {
  createdAt: Date
  repairedAt: Date
}

/** Whether an occurrence that arrives late was soon before the beginning of an alarm, or after it. */
export const isSoonBefore = (createdAt: Date, at: Date): boolean => at.getTime() >= createdAt.getTime() - flapMillis

/** Whether an occurrence belongs to an ended alarm: during it, soon after it, or, of a message that arrives late, soon before it. */
export const isSameFault = ({ createdAt, repairedAt }: EndedAlarm, at: Date): boolean =>
  at.getTime() <= repairedAt.getTime() + flapMillis && isSoonBefore(createdAt, at)

/** When an alarm's fault was there, the newest first; the end is null while it is. */
export function timesOf(
  { createdAt, repairedAt }: { createdAt: Date; repairedAt: Date | null },
  pauses: readonly Pause[],
): { from: Date; to: Date | null }[] {
  const inOrder = pauses.toSorted((one, other) => one.endedAt.getTime() - other.endedAt.getTime())
  const starts = [createdAt, ...inOrder.map(({ raisedAt }) => raisedAt)]
  const ends = [...inOrder.map(({ endedAt }) => endedAt), repairedAt]
  return starts.map((from, at) => ({ from, to: ends[at] ?? null })).reverse()
}

/** A time in which an alarm was over before its fault came back. */
export interface Pause {
  endedAt: Date
  raisedAt: Date
}
