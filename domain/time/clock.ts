import { instantsOf } from './local-hour.ts'

/*
 * A machine's clock is local, without a zone, and may be wrong by minutes or by years. Naive times are milliseconds as in
 * local-hour.ts.
 */

/** Up to this difference a clock counts as correct, and its times are used unchanged. */
export const toleratedDriftMs = 2 * 60_000

/** Reads a machine's clock (`2026-11-21T08:00:00` with up to three decimals). Null when it shows no real date. */
export function naiveOf(text: string): number | null {
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  const hours = Number(text.slice(11, 13))
  const minutes = Number(text.slice(14, 16))
  const seconds = Number(text.slice(17))
  if (year < 1970 || month < 1 || month > 12 || day < 1 || hours > 23 || minutes > 59 || !(seconds < 60)) return null
  const naive = Date.UTC(year, month - 1, day, hours, minutes) + Math.round(seconds * 1000)
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? naive : null
}

/** How far a clock is behind (milliseconds; negative when ahead): the server's time minus the machine's. */
export function driftOf(receivedAt: number, sentAt: number, zone: string): number {
  const drifts = instantsOf(sentAt, zone).map((instant) => receivedAt - instant)
  return drifts.reduce((best, drift) => (Math.abs(drift) < Math.abs(best) ? drift : best))
}

export interface Reading {
  /** The machine's time of the event, and of sending the message. Null: not usable. */
  itemAt: number | null
  sentAt: number | null
  receivedAt: number
  zone: string
  /** Older times are set to this limit. */
  oldestAt: number
  /** The known drift of the clock, for a message without usable times. */
  knownDrift?: number | null
}

/**
 * When a thing happened. A clock that is right within two minutes is read in the merchant's zone; another one only says how
 * long before the message it was. Never later than now, never older than what is kept.
 *
 * A clock may jump between the thing and the message. Set only afterwards (the thing in 1970, the message today), it says nothing of when
 * the thing was, which is taken to have just happened. Lost since (the thing today, the message in 1970), it was right before, and is
 * believed.
 */
export const happenedAt = ({ itemAt, ...message }: Reading): number => readerOf(message)(itemAt)

/** The same for all items of a message, whose clock is judged once. */
export function readerOf(message: Omit<Reading, 'itemAt'>): (itemAt: number | null) => number {
  const { sentAt, receivedAt, zone, oldestAt, knownDrift } = message
  const within = (instant: number) => Math.min(receivedAt, Math.max(oldestAt, instant))
  const drift = knownDrift ?? (sentAt === null ? 0 : driftOf(receivedAt, sentAt, zone))
  const isRight = Math.abs(drift) <= toleratedDriftMs || sentAt === null
  return (itemAt) => {
    if (itemAt === null) return receivedAt
    const wasSet = itemAt >= firstSet
    const isSet = sentAt === null || sentAt >= firstSet
    if (!wasSet && isSet) return receivedAt
    if (isRight || (wasSet && !isSet)) {
      // In a repeated hour the later reading is correct, unless it is in the future.
      const instants = instantsOf(itemAt, zone)
      return within(instants.findLast((instant) => instant <= receivedAt + toleratedDriftMs) ?? instants[0])
    }
    if (knownDrift !== undefined && knownDrift !== null) return within(instantsOf(itemAt, zone)[0] + drift)
    return within(receivedAt - (sentAt - itemAt))
  }
}

/** Older than every machine of ours: a clock with such a time was never set and started at its maker's first day. */
export const firstSet = Date.UTC(2020, 0, 1)

/** No stored event is older: an older time is from a clock that was not set. */
const rememberedMs = 10 * 366 * 86_400_000

/**
 * The real time of a past event that a machine reports, from the clock that reports it: `clockThen` beside
 * `clockNow`, which was at `at`. Null for a time that this clock cannot have shown.
 */
export function earlierBy(now: { at: number; timeZone: string }, clockNow: string, clockThen: string): number | null {
  const naiveNow = naiveOf(clockNow)
  const naiveThen = naiveOf(clockThen)
  if (naiveNow === null || naiveThen === null) return null
  const { at, timeZone } = now
  // How far the clock was off, by the reading of its hour that fits best.
  const errors = instantsOf(naiveNow, timeZone).map((instant) => at - instant)
  const error = errors.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best))
  const then = instantsOf(naiveThen, timeZone)[0] + error
  return then > at - rememberedMs ? Math.min(then, at) : null
}
