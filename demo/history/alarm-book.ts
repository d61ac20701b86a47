import type { AlarmCategory, AlarmCriticity, AlarmSource, AlarmStatus } from '#contract/vocabulary/alarm.ts'
import { alarmsAfter } from '#domain/alarms/event-alarms.ts'
import { flapMillis, type Pause } from '#domain/alarms/flapping.ts'
import type { Random } from '#simulator/random.ts'
import { uuidAt } from '../write/uuid.ts'

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
  pauses: readonly Pause[]
}

/** Rows of the times in which an alarm was over before its fault returned. */
export const pauseRows = (machine: { id: string; merchant: { id: string } }, { id, pauses }: PastAlarm) =>
  pauses.map(({ endedAt, raisedAt }) => ({
    merchant_id: machine.merchant.id,
    alarm_id: id,
    machine_id: machine.id,
    ended_at: endedAt.toISOString(),
    raised_at: raisedAt.toISOString(),
  }))

/** The alarms from one machine's past events, by the gateway's own rules. */
export function openAlarmBook(random: Random) {
  const alarms: PastAlarm[] = []
  /** Open, or ended so lately that the fault may return. */
  let recent: PastAlarm[] = []
  const isOpen = ({ repairedAt }: PastAlarm) => repairedAt === null
  return {
    alarms,
    event(at: number, code: string, active: boolean) {
      const event = { code, active, at: new Date(at), message: null, detail: null }
      const tools = { newId: () => uuidAt(at, random), endedLater: () => null }
      recent = recent.filter(({ repairedAt }) => repairedAt === null || at - repairedAt.getTime() <= flapMillis)
      for (const { isNew, isRaisedAgain: _, message: __, ...after } of alarmsAfter(recent, [event], tools)) {
        const before = recent.find(({ id }) => id === after.id)
        if (isNew) {
          const alarm = { ...after, repairedBy: null, repairNote: null }
          alarms.push(alarm)
          recent.push(alarm)
        } else if (before) {
          const { count, lastAt, repairedAt, status } = after
          Object.assign(before, { count, lastAt, repairedAt, status, pauses: [...before.pauses, ...after.pauses] })
        }
      }
    },
    repairByHand(code: string, at: number, by: Author, note: string) {
      const alarm = recent.find((each) => each.code === code && isOpen(each))
      if (!alarm) return
      recent = recent.filter((each) => each !== alarm)
      Object.assign(alarm, { status: 'repairedManually', repairedAt: new Date(at), repairedBy: by, repairNote: note })
    },
    /** The highest severity of open alarms; null when none is open. */
    worst: () => (recent.some(isOpen) ? Math.max(...recent.filter(isOpen).map(({ criticity }) => criticity)) : null),
  }
}
