import {
  type AlarmCriticity,
  type AlarmStatus,
  alarmCriticities,
  portalAlarmCodes,
} from '#contract/vocabulary/alarm.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { describeAlarm } from './alarm-kind.ts'
import type { QuietHours } from './quiet-hours.ts'

/** How a merchant wants alarms of a code to be handled. */
export interface AlarmSetting {
  /** False: no new alarms of this code; open alarms still end automatically. */
  enabled: boolean
  /** In place of the code's own. */
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
  /** Says again every so many hours that an alarm is still open; null: never. */
  reminderHours: number | null
  /** Tells others once when an alarm has been open for so many hours; null: never. */
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
const unsaid: AlarmSetting = {
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
const unsaidOfSilence: AlarmSetting = { ...unsaid, mailFrom: alarmCriticities.warning, delayMinutes: 0 }

/** What the product does with alarms of a code where the merchant has said nothing of it. */
const unsaidOf = (code: string): AlarmSetting => (code === portalAlarmCodes.noData ? unsaidOfSilence : unsaid)

/** The settings of a code: its own, those of its base code without the selection, those of `*`, or the default. */
export const settingOf = (settings: ReadonlyMap<string, AlarmSetting>, code: string): AlarmSetting =>
  ownSettingOf(settings, code) ?? settings.get(anyCode) ?? unsaidOf(code)

/** What a merchant has said of this very code. */
export const ownSettingOf = (settings: ReadonlyMap<string, AlarmSetting>, code: string): AlarmSetting | undefined =>
  settings.get(code) ?? settings.get(describeAlarm(code).stem)

/** A new alarm as the merchant wants it; null when it wants none of its kind. */
export function wanted<A extends { criticity: AlarmCriticity; status: AlarmStatus }>(
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
