import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import type { AlarmSetting } from './alarm-setting.ts'
import { quietUntil } from './quiet-hours.ts'

export type NoticeKind = 'raised' | 'reminder' | 'escalation'

/** Kinds of mail of an alarm: notices, and the mail to the user that the alarm is assigned to. */
export type AlarmMailKind = NoticeKind | 'assigned'

/** A notice of an alarm. `number` numbers reminders. */
export interface Notice {
  kind: NoticeKind
  number: number
}

/** The notices already sent of an alarm. */
export interface SentMails {
  /** The time of the last of `raised` and the reminders; null when none was sent. */
  lastAt: Date | null
  reminders: number
  isEscalated: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * The next notice of an open alarm and its time (not before now); null when none remains. A notice in quiet hours waits for
 * their end, unless the alarm blocks its machine and the merchant wants such alarms at night. An acknowledged alarm has none until the
 * acknowledgement ends.
 */
export function nextNotice(
  alarm: { criticity: number; createdAt: Date; acknowledgedUntil?: Date | null },
  setting: AlarmSetting,
  sentMails: SentMails,
  { zone, now }: { zone: string; now: Date },
): (Notice & { at: Date }) | null {
  const { mailFrom, delayMinutes, reminderHours, escalationHours } = setting
  if (mailFrom === null || alarm.criticity < mailFrom) return null
  const since = alarm.createdAt.getTime()
  const hasEscalation = setting.escalationPeople.length > 0 || setting.escalationAddresses.length > 0
  const due: (Notice & { at: number })[] = []
  if (sentMails.lastAt === null) due.push({ kind: 'raised', number: 0, at: since + delayMinutes * minuteMs })
  else if (reminderHours !== null)
    due.push({
      kind: 'reminder',
      number: sentMails.reminders + 1,
      at: sentMails.lastAt.getTime() + reminderHours * hourMs,
    })
  if (escalationHours !== null && hasEscalation && !sentMails.isEscalated)
    due.push({ kind: 'escalation', number: 0, at: since + escalationHours * hourMs })
  const [first] = due.sort((one, other) => one.at - other.at)
  if (!first) return null
  // A late notice is sent now, or at the end of the current quiet hours.
  const at = new Date(Math.max(first.at, now.getTime(), alarm.acknowledgedUntil?.getTime() ?? 0))
  return { ...first, at: heldBackUntil(alarm, setting, at, zone) ?? at }
}

/** The end of the quiet hours around an instant, if they hold back notices of the alarm; null when a notice may be sent. */
export function heldBackUntil(
  { criticity }: { criticity: number },
  { quietHours, blockingBreaksQuiet }: AlarmSetting,
  at: Date,
  zone: string,
): Date | null {
  const mayWake = blockingBreaksQuiet && criticity >= alarmCriticities.blocking
  return quietHours && !mayWake ? quietUntil(at, quietHours, zone) : null
}

/** The sent notices after sending another. */
export const sentAfter = (sentMails: SentMails, { kind, number }: Notice, at: Date): SentMails =>
  kind === 'escalation' ? { ...sentMails, isEscalated: true } : { ...sentMails, lastAt: at, reminders: number }
