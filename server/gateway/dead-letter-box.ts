import { deviceLimits } from '#contract/device-protocol.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { isTransient } from '#database/frame/transient.ts'
import {
  changeReason,
  type DeadLetter,
  type KeptItem,
  keepDeadLetter,
  keepItems,
  keptOf,
} from '#database/platform/dead-letters.ts'
import type { OnceLog } from '../log/once-log.ts'
import { keepTrying } from '../retry/backoff.ts'
import { counted } from './metrics.ts'

export interface DeadLetterBox {
  /**
   * Stores a letter whose content the machine still has, or which has no number; waits while the database is away. Only a
   * machine's first letters of each hour are kept. The last of them counts the omitted letters.
   */
  keep(letter: Omit<DeadLetter, 'at'>): Promise<void>
  /**
   * Stores items of one machine, so that its journal may continue without them. Returns the stored items: fewer once the
   * machine has reached its maximum. The others must not be acknowledged.
   */
  keepItems<T extends Omit<KeptItem, 'at'>>(items: readonly T[]): Promise<readonly T[]>
  stop(): Promise<void>
}

const keptPerHour = 200
const hourMs = 3_600_000
const reportEveryMs = 60_000
/** Lifetime of a cached count of a machine's letters. */
const countedMs = 60_000

/** Letters of a machine in one hour. */
interface Hour {
  count: number
  lastKept: { id: string; reason: string } | null
}

/** A reason may quote the message, which may contain any character. */
// The expression searches for control characters on purpose.
const withoutControlCharacters = (text: string) =>
  text
    .replace(/[\u0000-\u001f\u007f]/g, '\ufffd')
    .toWellFormed()
    .slice(0, 1000)

export function createDeadLetterBox(doors: Doors, logOnce: OnceLog): DeadLetterBox {
  const stopped = new AbortController()
  const perMachine = new Map<string, Hour>()
  /** Hours with omitted letters that were not yet reported. */
  const unreported = new Set<Hour>()
  /** Kept items of machines that lately sent items which cannot be booked. */
  const keptBy = new Map<string, { items: number; bytes: number; until: number }>()
  let hour = 0

  function hourOf(serial: string): Hour {
    const now = Math.floor(Date.now() / hourMs)
    if (now !== hour) perMachine.clear()
    hour = now
    const ofMachine = perMachine.get(serial) ?? { count: 0, lastKept: null }
    perMachine.set(serial, ofMachine)
    return ofMachine
  }

  async function report(): Promise<void> {
    for (const each of [...unreported]) {
      if (!each.lastKept) continue
      unreported.delete(each)
      const { id, reason } = each.lastKept
      const leftOut = `${each.count - keptPerHour} more of this machine were not kept in the same hour`
      await changeReason(doors, id, `${reason}; ${leftOut}`).catch(() => unreported.add(each))
    }
  }
  const reporting = setInterval(report, reportEveryMs)
  reporting.unref()

  /** Retries until the database accepts the work. */
  const untilTaken = <T>(work: () => Promise<T>): Promise<T> =>
    keepTrying(work, { signal: stopped.signal, isWorthAnother: isTransient })

  async function countOf(machineId: string) {
    const counted = keptBy.get(machineId)
    if (counted && counted.until > Date.now()) return counted
    if (keptBy.size >= 10_000) keptBy.clear()
    const recounted = { ...(await keptOf(doors, machineId)), until: Date.now() + countedMs }
    keptBy.set(machineId, recounted)
    return recounted
  }

  const note = ({ serial, kind, reason }: Omit<DeadLetter, 'at'>) => {
    const code = reason.split(':')[0] ?? reason
    counted.deadLetters.inc({ reason: code })
    const who = serial ?? 'unknown'
    logOnce(`${code} ${who}`, { serial: who, kind, reason }, 'A message was refused')
    return who
  }

  return {
    async keepItems(items) {
      const [first] = items
      if (!first) return []
      return untilTaken(async () => {
        const count = await countOf(first.machineId)
        let { items: number, bytes } = count
        const fit = items.filter(({ payload }) => {
          if (number >= deviceLimits.keptItems || bytes + payload.length > deviceLimits.keptBytes) return false
          number += 1
          bytes += payload.length
          return true
        })
        const at = new Date()
        await keepItems(
          doors,
          fit.map((item) => ({ ...item, reason: withoutControlCharacters(item.reason), at })),
        )
        Object.assign(count, { items: number, bytes })
        for (const item of items) note(item)
        return fit
      })
    },
    async keep(letter) {
      const ofHour = hourOf(note(letter))
      const number = ++ofHour.count
      if (number > keptPerHour) {
        unreported.add(ofHour)
        return
      }
      const reason = withoutControlCharacters(letter.reason)
      const id = await untilTaken(() => keepDeadLetter(doors, { ...letter, reason, at: new Date() }))
      if (number === keptPerHour) ofHour.lastKept = { id, reason }
    },
    async stop() {
      clearInterval(reporting)
      stopped.abort()
      await report()
    },
  }
}
