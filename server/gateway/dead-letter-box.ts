import { setTimeout as pause } from 'node:timers/promises'
import { changeReason, type DeadLetter, keepDeadLetter } from '#database/dead-letters.ts'
import type { Doors } from '#database/tenant.ts'
import { isTransient } from '#database/transient.ts'
import type { OnceLog } from './log.ts'
import { counted } from './metrics.ts'

export interface DeadLetterBox {
  /**
   * Keeps it; waits while the database is away. Of a machine that sends nothing else only the first of each hour are kept; the last of
   * them says how many more there were.
   */
  keep(letter: Omit<DeadLetter, 'at'>): Promise<void>
  stop(): Promise<void>
}

const keptPerHour = 200
const hourMs = 3_600_000
const tellEveryMs = 60_000

/** Letters of a machine in one hour. */
interface Hour {
  count: number
  lastKept: { id: string; reason: string } | null
}

/** A reason may quote what it speaks of, which may be anything. */
// Control characters are what is looked for.
const speakable = (text: string) =>
  text
    .replace(/[\u0000-\u001f\u007f]/g, '\ufffd')
    .toWellFormed()
    .slice(0, 1000)

export function createDeadLetterBox(doors: Doors, logOnce: OnceLog): DeadLetterBox {
  const stopped = new AbortController()
  const perMachine = new Map<string, Hour>()
  /** Those that have left out letters since that was told. */
  const untold = new Set<Hour>()
  let hour = 0

  function hourOf(serial: string): Hour {
    const now = Math.floor(Date.now() / hourMs)
    if (now !== hour) perMachine.clear()
    hour = now
    const known = perMachine.get(serial) ?? { count: 0, lastKept: null }
    perMachine.set(serial, known)
    return known
  }

  async function tell(): Promise<void> {
    for (const each of [...untold]) {
      if (!each.lastKept) continue
      untold.delete(each)
      const { id, reason } = each.lastKept
      const leftOut = `${each.count - keptPerHour} more of this machine were not kept in the same hour`
      await changeReason(doors, id, `${reason}; ${leftOut}`).catch(() => untold.add(each))
    }
  }
  const telling = setInterval(tell, tellEveryMs)
  telling.unref()

  return {
    async keep(letter) {
      const code = letter.reason.split(':')[0] ?? letter.reason
      counted.deadLetters.inc({ reason: code })
      const who = letter.serial ?? 'unknown'
      logOnce(`${code} ${who}`, { serial: who, kind: letter.kind, reason: letter.reason }, 'A message was refused')
      const ofHour = hourOf(who)
      const number = ++ofHour.count
      if (number > keptPerHour) {
        untold.add(ofHour)
        return
      }
      const reason = speakable(letter.reason)
      for (let attempt = 0; !stopped.signal.aborted; attempt++) {
        try {
          const id = await keepDeadLetter(doors, { ...letter, reason, at: new Date() })
          if (number === keptPerHour) ofHour.lastKept = { id, reason }
          return
        } catch (error) {
          if (!isTransient(error)) throw error
          await pause(Math.min(5000, 100 * 2 ** attempt), undefined, { signal: stopped.signal }).catch(() => {})
        }
      }
      throw new Error('Stopped before the dead letter was kept')
    },
    async stop() {
      clearInterval(telling)
      stopped.abort()
      await tell()
    },
  }
}
