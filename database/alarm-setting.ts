import type { AlarmCriticity } from '#contract/vocabulary/alarm.ts'
import type { AlarmSetting } from '#domain/alarm-setting.ts'
import type { TenantDb } from './tenant.ts'

/** What the scope's merchants want of alarms, by merchant and code. A merchant that has said nothing is left out. */
export async function alarmSettings(db: TenantDb): Promise<Map<string, Map<string, AlarmSetting>>> {
  const rows = await db.from('alarm_settings').selectAll('alarm_settings').execute()
  const byMerchant = new Map<string, Map<string, AlarmSetting>>()
  for (const row of rows) {
    const own = byMerchant.get(row.merchant_id) ?? new Map<string, AlarmSetting>()
    byMerchant.set(row.merchant_id, own)
    own.set(row.code, {
      enabled: row.enabled,
      criticity: row.criticity as AlarmCriticity | null,
      mailFrom: row.mail_from as AlarmCriticity | null,
      delayMinutes: row.delay_minutes,
      toPeople: row.to_people,
      addresses: row.addresses,
      quietHours:
        row.quiet_from === null || row.quiet_to === null
          ? null
          : { from: row.quiet_from, to: row.quiet_to, days: row.quiet_days },
      blockingBreaksQuiet: row.blocking_breaks_quiet,
      reminderHours: row.reminder_hours,
      escalationHours: row.escalation_hours,
      escalationPeople: row.escalation_people,
      escalationAddresses: row.escalation_addresses,
      serviceCycles: row.service_cycles,
    })
  }
  return byMerchant
}

const none: ReadonlyMap<string, AlarmSetting> = new Map()

/** One merchant's among them. */
export const settingsOf = (
  settings: ReadonlyMap<string, ReadonlyMap<string, AlarmSetting>>,
  merchantId: string,
): ReadonlyMap<string, AlarmSetting> => settings.get(merchantId) ?? none
