import { firstSet, naiveOf, toleratedDriftMs } from '../time/clock.ts'
import { instantsOf } from '../time/local-hour.ts'

/** The time of a reading as its source writes it: the machine's wall clock, or an instant. */
export type StatedTime = { wall: string } | { at: number }

/** How times are interpreted: when the file arrived, the machine's zone, and the oldest time that is kept. */
export interface TimeFrame {
  receivedAt: number
  zone: string
  oldestAt: number
  /** How far the machine's clock is behind, as measured. */
  drift?: number | null
}

/**
 * The instant of a stated time; null if it cannot be the time of a reading: no real date, a clock that was never set, the future, or older
 * than what is kept. A clock that is right within two minutes is used unchanged.
 */
export function instantOf(stated: StatedTime, { receivedAt, zone, oldestAt, drift = null }: TimeFrame): number | null {
  const latest = receivedAt + toleratedDriftMs
  const isPossible = (at: number) => at >= Math.max(firstSet, oldestAt) && at <= latest
  if ('at' in stated) return isPossible(stated.at) ? Math.min(stated.at, receivedAt) : null
  const naive = naiveOf(stated.wall)
  if (naive === null) return null
  const correction = drift !== null && Math.abs(drift) > toleratedDriftMs ? drift : 0
  const instants = instantsOf(naive, zone).map((instant) => instant + correction)
  // In a repeated hour the later instant counts, unless it is in the future.
  const at = instants.findLast((instant) => instant <= latest) ?? instants[0]
  return at !== undefined && isPossible(at) ? Math.min(at, receivedAt) : null
}
