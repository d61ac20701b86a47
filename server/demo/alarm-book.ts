import type { AlarmCategory, AlarmCriticity, AlarmSource, AlarmStatus } from '#contract/vocabulary/alarm.ts'
import { alarmsAfter } from '#domain/alarms/event-alarms.ts'
import type { Random } from '#simulator/random.ts'
import { uuidAt } from './uuid.ts'

type Author = { id: string; name: string }

export type PastAlarm = {
  id: string
  code: string
  source: AlarmSource
  category: AlarmCategory
  criticity: AlarmCriticity
  status: AlarmStatus
  detail: string | null
  count: number
  createdAt: Date
  lastAt: Date
  repairedAt: Date | null
  repairedBy: Author | null
  repairNote: string | null
}

/** The alarms from one machine's past events, by the gateway's own rules. */
export function openAlarmBook(random: Random) {
  const alarms: PastAlarm[] = []
  let open: PastAlarm[] = []
  return {
    alarms,
    event(at: number, code: string, active: boolean) {
      const event = { code, active, at: new Date(at), message: null, detail: null }
      const tools = { newId: () => uuidAt(at, random), endedLater: () => null }
      for (const { isNew, createdAt, message: _, ...after } of alarmsAfter(open, [event], tools)) {
        if (isNew) {
          const alarm = { ...after, createdAt, repairedBy: null, repairNote: null }
          alarms.push(alarm)
          open.push(alarm)
        } else {
          const known = open.find(({ id }) => id === after.id)
          if (known) Object.assign(known, { count: after.count, lastAt: after.lastAt, repairedAt: after.repairedAt })
          if (known && after.repairedAt) known.status = 'repaired'
        }
      }
      open = open.filter(({ repairedAt }) => repairedAt === null)
    },
    repairByHand(code: string, at: number, by: Author, note: string) {
      const alarm = open.find((each) => each.code === code)
      if (!alarm) return
      open = open.filter((each) => each !== alarm)
      Object.assign(alarm, { status: 'repairedManually', repairedAt: new Date(at), repairedBy: by, repairNote: note })
    },
    /** The highest severity of open alarms; null when none is open. */
    worst: () => (open.length === 0 ? null : Math.max(...open.map(({ criticity }) => criticity))),
  }
}
