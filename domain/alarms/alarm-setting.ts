import {
  type AlarmCriticity,
  type AlarmStatus,
  alarmCriticities,
  portalAlarmCodes,
} from '#contract/vocabulary/alarm.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { describeAlarm } from './alarm-kind.ts'
import type { QuietHours } from './quiet-hours.ts'

/** A merchant's settings for alarms of a code. */
export interface AlarmSetting {
  /** False: no new alarms of this code; open alarms still end automatically. */
  enabled: boolean
  /** Replaces the severity of the code. */
  criticity: AlarmCriticity | null
  /** Minimum severity of alarms to mail; null: no mail. */
  mailFrom: AlarmCriticity | null
  /** How long an alarm must be open before it is mailed. */
  delayMinutes: number
  /** Mail the merchant's users who turned on alarm mail and see the machine. */
  toPeople: boolean
  /** Further recipients, for all machines. */
  addresses: readonly string[]
  quietHours: QuietHours | null
  blockingBreaksQuiet: boolean
  /** Interval of reminders in hours while an alarm is open; null: no reminders. */
  reminderHours: number | null
  /** Hours after which an open alarm is escalated once; null: never. */
  escalationHours: number | null
  escalationPeople: readonly string[]
  escalationAddresses: readonly string[]
  /** Cycles between two services; null: not known. */
  serviceCycles: number | null
}

/**
 * The default settings: an alarm that blocks a machine is mailed after five minutes, a silent machine as soon as it
 * counts as silent, other alarms not; a reminder once a day, at any hour, without escalation.
 */
const productDefault: AlarmSetting = {
  enabled: true,
  criticity: null,
  mailFrom: alarmCriticities.blocking,
  delayMinutes: 5,
  toPeople: true,
  addresses: [],
  quietHours: null,
  blockingBreaksQuiet: true,
  reminderHours: 24,
  escalationHours: null,
  escalationPeople: [],
  escalationAddresses: [],
  serviceCycles: null,
}
const silenceDefault: AlarmSetting = { ...productDefault, mailFrom: alarmCriticities.warning, delayMinutes: 0 }

/** The product's default for a code. */
const defaultOf = (code: string): AlarmSetting => (code === portalAlarmCodes.noData ? silenceDefault : productDefault)

/** The settings of a code: its own, those of its base code without the selection, those of `*`, or the default. */
export const settingOf = (settings: ReadonlyMap<string, AlarmSetting>, code: string): AlarmSetting =>
  ownSettingOf(settings, code) ?? settings.get(anyCode) ?? defaultOf(code)

/** The merchant's own settings for exactly this code. */
export const ownSettingOf = (settings: ReadonlyMap<string, AlarmSetting>, code: string): AlarmSetting | undefined =>
  settings.get(code) ?? settings.get(describeAlarm(code).stem)

/** A new alarm with the merchant's settings applied; null when alarms of its kind are switched off. */
export function alarmBySetting<A extends { criticity: AlarmCriticity; status: AlarmStatus }>(
  alarm: A,
  { enabled, criticity }: AlarmSetting,
): A | null {
  if (!enabled) return null
  if (criticity === null) return alarm
  const isOpen = alarm.status === 'active' || alarm.status === 'notification'
  return { ...alarm, criticity, status: isOpen ? openStatusOf(criticity) : alarm.status }
}

/** An open alarm is active or a notification. */
export const openStatusOf = (criticity: AlarmCriticity): 'active' | 'notification' =>
  criticity === alarmCriticities.notification ? 'notification' : 'active'
