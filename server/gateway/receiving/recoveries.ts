import type { Doors } from '#database/frame/tenant.ts'
import { noteTimeline, serialsAfter, timelineOf } from '#database/machines/recovery.ts'

/** Whether the database was restored, which each ack says by a number. */
export interface Recoveries {
  /** The number of the database's timeline. */
  current(): number
  /** Reads the number, and notifies all machines if it is new: once, by one of several gateways. */
  check(): Promise<void>
  stop(): void
}

/** So many machines are notified a second: each answers with a hello. */
const notifiedEachSecond = 200

export async function openRecoveries(parts: {
  doors: Doors
  /** Sends an ack to a machine. */
  notify: (serial: string) => Promise<void>
  onFailure: (error: unknown) => void
}): Promise<Recoveries> {
  const { doors, notify, onFailure } = parts
  let current = await timelineOf(doors)
  let next: NodeJS.Timeout | undefined

  async function notifyFrom(serial: string): Promise<void> {
    const serials = await serialsAfter(doors, serial, notifiedEachSecond)
    for (const each of serials) await notify(each)
    const last = serials.at(-1)
    if (last !== undefined) notifyLater(last)
  }
  const notifyLater = (serial: string) => {
    next = setTimeout(() => {
      notifyFrom(serial).catch((error: unknown) => {
        onFailure(error)
        notifyLater(serial)
      })
    }, 1_000).unref()
  }

  return {
    current: () => current,
    async check() {
      current = await timelineOf(doors)
      if (!(await noteTimeline(doors, current))) return
      clearTimeout(next)
      notifyLater('')
    },
    stop: () => clearTimeout(next),
  }
}
