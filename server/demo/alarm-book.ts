import { describeEvent, eventCodes } from '#domain/eva-dts/event-codes.ts'
import type { Random } from '#simulator/random.ts'
import { uuidAt } from './uuid.ts'

export type PastAlarm = {
  id: string
  code: string
  source: string
  category: string
  criticity: number
  status: 'active' | 'notification' | 'repaired' | 'repairedManually'
  count: number
  createdAt: number
  lastAt: number
  repairedAt: number | null
  repairedBy: string | null
  repairNote: string | null
}

/** Events that only end others open no alarm of their own. */
const endings = new Set<string>(
  Object.values(eventCodes).flatMap((kind): readonly string[] => ('clearedBy' in kind ? kind.clearedBy : [])),
)

/** The alarms that one machine's past events have left behind. */
export function openAlarmBook(random: Random) {
  const alarms: PastAlarm[] = []
  const open = new Map<string, PastAlarm>()
  function close(alarm: PastAlarm, at: number) {
    open.delete(alarm.code)
    alarm.status = 'repaired'
    alarm.repairedAt = Math.max(at, alarm.createdAt)
  }
  return {
    alarms,
    event(at: number, code: string, active: boolean) {
      const { stem, source, category, criticity } = describeEvent(code)
      const known = open.get(code)
      if (!active) {
        if (known) close(known, at)
        return
      }
      for (const alarm of open.values()) {
        if (describeEvent(alarm.code).clearedBy.includes(stem)) close(alarm, at)
      }
      if (endings.has(stem)) return
      if (known) {
        known.count++
        known.lastAt = at
        return
      }
      const level = criticity ?? 2
      const alarm: PastAlarm = {
        id: uuidAt(at, random),
        code,
        source,
        category: category ?? 'fault',
        criticity: level,
        status: level === 0 ? 'notification' : 'active',
        count: 1,
        createdAt: at,
        lastAt: at,
        repairedAt: null,
        repairedBy: null,
        repairNote: null,
      }
      alarms.push(alarm)
      open.set(code, alarm)
    },
    repairByHand(code: string, at: number, by: string, note: string) {
      const alarm = open.get(code)
      if (!alarm) return
      close(alarm, at)
      alarm.status = 'repairedManually'
      alarm.repairedBy = by
      alarm.repairNote = note
    },
    /** The gravest open criticity; null when nothing is open. */
    worst: () => (open.size === 0 ? null : Math.max(...[...open.values()].map(({ criticity }) => criticity))),
  }
}
