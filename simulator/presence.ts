import type { Connection } from './connection.ts'
import type { Random } from './random.ts'

/** Whether a machine is there for its gateway: its boots, its cuts, and its tries to connect. */
export interface Presence {
  bootAt(): number
  /** Whether it is silent, and neither sells nor connects. */
  isAway(): boolean
  /** It falls silent until it returns. */
  leave(): void
  comeBack(): void
  /** Restarts soon after the announcement. Returns the milliseconds until it connects again. */
  restart(): number
  /** Disconnects for some time. */
  cut(milliseconds: number): void
  opened(): void
  closed(): void
  /** Connects again when it is time, or stays cut off. Returns whether the connection is open. */
  keep(now: number, isCutOff: boolean): boolean
}

const secondMs = 1000
/** A restart takes this long, if nothing else is set. */
const restartSeconds = 6

export function openPresence(
  connection: Pick<Connection, 'isOpen' | 'open' | 'cut'>,
  random: Random,
  start: { connectAt: number; isAway: boolean; restartSeconds?: number | undefined },
): Presence {
  const restartMs = (start.restartSeconds ?? restartSeconds) * secondMs
  const announcedMs = restartMs / 3
  let bootAt = Date.now() - random.int(1, 5) * 3600 * secondMs
  let { isAway } = start
  /** The time of the next connection attempt, and the end of any pause. */
  let nextTry = start.connectAt
  let awayUntil = 0
  let failures = 0

  return {
    bootAt: () => bootAt,
    isAway: () => isAway,
    leave() {
      isAway = true
      connection.cut()
    },
    comeBack() {
      isAway = false
      awayUntil = 0
      if (!connection.isOpen()) nextTry = Date.now()
    },
    restart() {
      setTimeout(() => {
        awayUntil = Date.now() + restartMs
        bootAt = Date.now() + restartMs / 2
        connection.cut()
      }, announcedMs).unref()
      return announcedMs + restartMs
    },
    cut(milliseconds) {
      awayUntil = Date.now() + milliseconds
      connection.cut()
    },
    opened() {
      failures = 0
    },
    closed() {
      const pause = Math.min(60, 2 ** ++failures) * secondMs
      nextTry = Date.now() + pause * (0.5 + random.next())
    },
    keep(now, isCutOff) {
      if (isAway) return false
      if (isCutOff) {
        if (connection.isOpen()) connection.cut()
        nextTry = now + secondMs
        return false
      }
      if (connection.isOpen()) return true
      if (now >= Math.max(nextTry, awayUntil)) {
        // Until this attempt has ended; it has its own time-out.
        nextTry = now + 60 * secondMs
        connection.open()
      }
      return false
    },
  }
}
