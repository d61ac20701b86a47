import {
  type AlarmCategory,
  type AlarmCriticity,
  type AlarmSource,
  type AlarmStatus,
  alarmCriticities,
} from '#contract/vocabulary/alarm.ts'
import { clearedByEvent, describeEvent } from '../audits/eva-dts/event-codes.ts'
import { isSameFault, isSoonBefore, type Pause } from './flapping.ts'

/** An event as it concerns alarms. */
export interface AlarmEvent {
  code: string
  /** False: the condition has ended. */
  active: boolean
  at: Date
  message: string | null
  detail: string | null
}

/** An alarm that is open, or that the machine ended lately. */
export interface KnownAlarm {
  id: string
  code: string
  count: number
  createdAt: Date
  lastAt: Date
  /** Null: it is open. */
  repairedAt: Date | null
}

/** An alarm as it is after the events. */
export interface AlarmAfter extends KnownAlarm {
  isNew: boolean
  /** It had ended before these events, and its fault came back. */
  isRaisedAgain: boolean
  /** Times in between, of which these events say. */
  pauses: readonly Pause[]
  status: AlarmStatus
  source: AlarmSource
  category: AlarmCategory
  criticity: AlarmCriticity
  message: string | null
  detail: string | null
}

/** The kind of a maker's own code, or of a code without a known meaning: an error is a warning, all else a notification. */
const unknownKind = (code: string) => ({
  category: 'fault' as const,
  criticity: /^E[A-O]/i.test(code) ? alarmCriticities.warning : alarmCriticities.notification,
})

/** Whether `event` ends the alarm of `code`: it is inactive itself, or its code clears the other. */
export function ends(event: { code: string; active: boolean }, code: string): boolean {
  if (!event.active) return event.code.toUpperCase() === code.toUpperCase()
  const alarm = describeEvent(code)
  if (!clearedByEvent(event.code).includes(alarm.stem)) return false
  // A refill of one selection leaves the others sold out.
  const which = describeEvent(event.code).detail
  return which === null || alarm.detail === null || which === alarm.detail
}

/**
 * The changes that events, in the machine's own order, cause in its alarms. A repeated event joins the alarm of its code
 * that is open, or that ended lately and is open again; a clearing event repairs it. `endedLater`: the event's own end was stored before it
 * arrived, so its alarm is created, or raised again, and repaired at once.
 */
export function alarmsAfter(
  knownAlarms: readonly KnownAlarm[],
  events: readonly AlarmEvent[],
  tools: { newId: () => string; endedLater: (event: AlarmEvent) => Date | null },
): AlarmAfter[] {
  const alarms: (AlarmAfter & { isChanged: boolean; pauses: Pause[] })[] = knownAlarms.map((alarm) => {
    const kind = describe(alarm.code)
    return {
      ...alarm,
      ...kind,
      status: alarm.repairedAt ? 'repaired' : kind.status,
      isNew: false,
      isRaisedAgain: false,
      isChanged: false,
      pauses: [],
      message: null,
      detail: null,
    }
  })
  for (const event of events) {
    const ended = alarms.filter(
      (alarm) => alarm.repairedAt === null && ends(event, alarm.code) && alarm.lastAt <= event.at,
    )
    for (const alarm of ended) Object.assign(alarm, { repairedAt: event.at, status: 'repaired', isChanged: true })
    if (!event.active || clearedByEvent(event.code).length > 0) continue
    const code = event.code.toUpperCase()
    const ofCode = alarms.filter((alarm) => alarm.code === code)
    const same = ofCode.find(({ repairedAt }) => repairedAt === null) ?? lastEnded(ofCode, event.at)
    if (same) {
      const isLater = event.at > same.lastAt
      same.count += 1
      same.isChanged = true
      if (isLater) same.lastAt = event.at
      if (event.at < same.createdAt && isSoonBefore(same.createdAt, event.at)) same.createdAt = event.at
      if (isLater || same.message === null) Object.assign(same, wordsOf(event))
      if (same.repairedAt !== null) raiseAgain(same, same.repairedAt, event.at, tools.endedLater(event))
      continue
    }
    const endedAt = tools.endedLater(event)
    const kind = describe(code)
    alarms.push({
      id: tools.newId(),
      code,
      count: 1,
      lastAt: event.at,
      createdAt: event.at,
      isNew: true,
      isRaisedAgain: false,
      pauses: [],
      isChanged: true,
      repairedAt: endedAt,
      ...kind,
      status: endedAt ? 'repaired' : kind.status,
      ...wordsOf(event),
    })
  }
  return alarms.filter(({ isChanged }) => isChanged).map(({ isChanged: _, ...alarm }) => alarm)
}

/** Opens an ended alarm again; `ends`: the end of the occurrence, if it is known already. */
function raiseAgain(alarm: AlarmAfter & { pauses: Pause[] }, endedAt: Date, at: Date, ends: Date | null): void {
  // An occurrence that arrives after its own end, and before the alarm's, changes nothing else.
  if (ends !== null && at < endedAt) return
  alarm.pauses.push({ endedAt, raisedAt: at < endedAt ? endedAt : at })
  alarm.repairedAt = ends
  alarm.status = ends ? 'repaired' : describe(alarm.code).status
  alarm.isRaisedAgain ||= !alarm.isNew
}

/** The alarm, ended last, to which an occurrence belongs. */
const lastEnded = <A extends KnownAlarm>(alarms: readonly A[], at: Date): A | undefined =>
  alarms
    .filter((alarm) => alarm.repairedAt !== null && isSameFault({ ...alarm, repairedAt: alarm.repairedAt }, at))
    .toSorted((one, other) => Number(other.repairedAt) - Number(one.repairedAt))[0]

const wordsOf = ({ code, message, detail }: AlarmEvent) => ({ message, detail: detail ?? describeEvent(code).detail })

/** The severity and category of the alarm of a machine's event. */
export function alarmKindOf(code: string): { category: AlarmCategory; criticity: AlarmCriticity } {
  const { category, criticity } = describeEvent(code)
  const unknown = unknownKind(code)
  return { category: category ?? unknown.category, criticity: criticity ?? unknown.criticity }
}

function describe(code: string) {
  const kind = alarmKindOf(code)
  const status = kind.criticity === alarmCriticities.notification ? ('notification' as const) : ('active' as const)
  return { ...kind, source: describeEvent(code).source, status }
}
