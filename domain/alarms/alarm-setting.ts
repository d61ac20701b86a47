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
  /** False: no such alarm is made any more; what is open still ends by itself. */
  enabled: boolean
  /** In place of the code's own. */
  criticity: AlarmCriticity | null
  /** Alarms at least so grave are mailed; null: none. */
  mailFrom: AlarmCriticity | null
  /** So long an alarm must have stood before it is mailed. */
  delayMinutes: number
  /** Mail goes to the merchant's people who asked for it, as far as they see the machine; */
  toPeople: boolean
  /** and to these, whatever the machine. */
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
 * What holds where a merchant has said nothing: what blocks a machine is mailed after five minutes, a silent machine as soon as it
 * counts as silent, all else not; a reminder once a day, at any hour, and nobody else is told.
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

/** What holds for a code: its own setting, that of what it means whichever selection it names, the one for all others, or the default. */
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

/** An open alarm needs somebody, or only tells. */
export const openStatusOf = (criticity: AlarmCriticity): 'active' | 'notification' =>
  criticity === alarmCriticities.notification ? 'notification' : 'active'
