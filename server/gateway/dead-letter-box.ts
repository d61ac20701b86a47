import { setTimeout as pause } from 'node:timers/promises'
import { type DeadLetter, keepDeadLetters, trimDeadLetters } from '#database/dead-letters.ts'
import type { Doors } from '#database/tenant.ts'
import { isTransient } from '#database/transient.ts'
import type { OnceLog } from './log.ts'
import { counted } from './metrics.ts'

export interface DeadLetterBox {
  /** Keeps it; waits while the database is away. Of a machine that sends nothing else only the first of each hour are kept. */
  keep(letter: Omit<DeadLetter, 'at'>): Promise<void>
  stop(): void
}

const keptPerHour = 200
const keptInAll = { days: 60, rows: 50_000 }
const hourMs = 3_600_000

/** A reason may quote what it speaks of, which may be anything. */
// Control characters are what is looked for.
const speakable = (text: string) =>
  text
    .replace(/[\u0000-\u001f\u007f]/g, '\ufffd')
    .toWellFormed()
    .slice(0, 1000)

export function createDeadLetterBox(doors: Doors, logOnce: OnceLog): DeadLetterBox {
  const stopped = new AbortController()
  const perMachine = new Map<string, number>()
  let hour = 0

  const trimming = setInterval(() => trimDeadLetters(doors, keptInAll).catch(() => {}), hourMs)
  trimming.unref()

  function isTooMany(serial: string): boolean {
    const now = Math.floor(Date.now() / hourMs)
    if (now !== hour) perMachine.clear()
    hour = now
    const count = (perMachine.get(serial) ?? 0) + 1
    perMachine.set(serial, count)
    return count > keptPerHour
  }

  return {
    async keep(letter) {
      const code = letter.reason.split(':')[0] ?? letter.reason
      counted.deadLetters.inc({ reason: code })
      const who = letter.serial ?? 'unknown'
      logOnce(`${code} ${who}`, { serial: who, kind: letter.kind, reason: letter.reason }, 'A message was refused')
      if (isTooMany(who)) return
      for (let attempt = 0; !stopped.signal.aborted; attempt++) {
        try {
          return await keepDeadLetters(doors, [{ ...letter, reason: speakable(letter.reason), at: new Date() }])
        } catch (error) {
          if (!isTransient(error)) throw error
          await pause(Math.min(5000, 100 * 2 ** attempt), undefined, { signal: stopped.signal }).catch(() => {})
        }
      }
      throw new Error('Stopped before the dead letter was kept')
    },
    stop() {
      clearInterval(trimming)
      stopped.abort()
    },
  }
}
