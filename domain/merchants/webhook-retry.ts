const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits after each failed attempt of a message, in milliseconds; after the last one it is given up: 37 hours after the first. */
const waits = [10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour, 10 * hour]
/** The longest wait between two attempts at a receiver that accepts nothing. */
const longestPause = 5 * minute
/** A receiver may ask for a longer one, up to this. */
const longestWish = hour
/** A webhook is disabled when every attempt of this time has failed. */
const failingFor = 36 * hour

/** A random part of a fifth more, so that messages are not repeated together. `random`: 0 to 1. */
const spread = (millis: number, random: number) => Math.round(millis * (1 + random / 5))

/** The wait before a message's next attempt, in milliseconds; undefined: it is given up. `attempts`: those made. */
export function waitOfMessage(attempts: number, random: number): number | undefined {
  const wait = waits[attempts - 1]
  return wait === undefined ? undefined : spread(wait, random)
}

/** The pause of a receiver after attempts that all failed, in milliseconds. `wish`: what it requested with Retry-After. */
export const pauseOfReceiver = (failures: number, random: number, wish = 0): number =>
  Math.max(spread(Math.min(longestPause, second * 2 ** failures), random), Math.min(wish, longestWish))

/** Whether a receiver that has accepted nothing since an instant is left alone. `isGone`: it said that it is gone for good (410). */
export const isToStop = (failingSince: Date, at: Date, isGone: boolean): boolean =>
  isGone || at.getTime() - failingSince.getTime() >= failingFor

/** What an answer says of a message. */
export const isAccepted = (status: number): boolean => status >= 200 && status < 300
