import type { Doors } from '#database/frame/tenant.ts'
import { noteTimeline, serialsAfter, timelineOf } from '#database/machines/recovery.ts'

/** Whether the database was restored, which each ack says by a number. */
export interface Recoveries {
  /** The number of the database's timeline. */
  current(): number
  /** Reads the number, and tells all machines if it is new: once, by one of several gateways. */
  check(): Promise<void>
  stop(): void
}

/** So many machines are told a second: each answers with a hello. */
const toldEachSecond = 200

export async function openRecoveries(parts: {
  doors: Doors
  /** Sends an ack to a machine. */
  tell: (serial: string) => Promise<void>
  onFailure: (error: unknown) => void
}): Promise<Recoveries> {
  const { doors, tell, onFailure } = parts
  let current = await timelineOf(doors)
  let next: NodeJS.Timeout | undefined

  async function tellFrom(serial: string): Promise<void> {
    const serials = await serialsAfter(doors, serial, toldEachSecond)
    for (const each of serials) await tell(each)
    const last = serials.at(-1)
    if (last !== undefined) tellLater(last)
  }
  const tellLater = (serial: string) => {
    next = setTimeout(() => {
      tellFrom(serial).catch((error: unknown) => {
        onFailure(error)
        tellLater(serial)
      })
    }, 1_000).unref()
  }

  return {
    current: () => current,
    async check() {
      current = await timelineOf(doors)
      if (!(await noteTimeline(doors, current))) return
      clearTimeout(next)
      tellLater('')
    },
    stop: () => clearTimeout(next),
  }
}
