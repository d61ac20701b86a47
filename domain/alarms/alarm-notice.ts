import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import type { AlarmSetting } from './alarm-setting.ts'
import { quietUntil } from './quiet-hours.ts'

export type NoticeKind = 'raised' | 'reminder' | 'escalation'

/** Something to be told of an alarm. `number` tells reminders apart. */
export interface Notice {
  kind: NoticeKind
  number: number
}

/** What has been told of an alarm already. */
export interface Told {
  /** Of `raised` and the reminders, the last; null when nothing has been told. */
  lastAt: Date | null
  reminders: number
  isEscalated: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * What is to be told next of an open alarm, and when (not before now); null when there is nothing more to tell. What falls into quiet hours waits for
 * their end, unless the alarm blocks its machine and the merchant wants to be woken for that.
 */
export function nextNotice(
  alarm: { criticity: number; createdAt: Date },
  setting: AlarmSetting,
  told: Told,
  { zone, now }: { zone: string; now: Date },
): (Notice & { at: Date }) | null {
  const { mailFrom, delayMinutes, reminderHours, escalationHours } = setting
  if (mailFrom === null || alarm.criticity < mailFrom) return null
  const since = alarm.createdAt.getTime()
  const hasEscalation = setting.escalationPeople.length > 0 || setting.escalationAddresses.length > 0
  const due: (Notice & { at: number })[] = []
  if (told.lastAt === null) due.push({ kind: 'raised', number: 0, at: since + delayMinutes * minuteMs })
  else if (reminderHours !== null)
    due.push({
      kind: 'reminder',
      number: told.reminders + 1,
      at: told.lastAt.getTime() + reminderHours * hourMs,
    })
  if (escalationHours !== null && hasEscalation && !told.isEscalated)
    due.push({ kind: 'escalation', number: 0, at: since + escalationHours * hourMs })
  const [first] = due.sort((one, other) => one.at - other.at)
  if (!first) return null
  // What is late is told now, or at the end of the quiet hours that are now.
  const at = new Date(Math.max(first.at, now.getTime()))
  return { ...first, at: heldBackUntil(alarm, setting, at, zone) ?? at }
}

/** When the quiet hours end in which nothing may be told of an alarm at an instant; null when it may be told then. */
export function heldBackUntil(
  { criticity }: { criticity: number },
  { quietHours, blockingBreaksQuiet }: AlarmSetting,
  at: Date,
  zone: string,
): Date | null {
  const mayWake = blockingBreaksQuiet && criticity >= alarmCriticities.blocking
  return quietHours && !mayWake ? quietUntil(at, quietHours, zone) : null
}

/** What has been told once a notice is told at an instant. */
export const toldAfter = (told: Told, { kind, number }: Notice, at: Date): Told =>
  kind === 'escalation' ? { ...told, isEscalated: true } : { ...told, lastAt: at, reminders: number }
