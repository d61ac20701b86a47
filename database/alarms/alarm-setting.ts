import { sql } from 'kysely'
import type { AlarmCriticity } from '#contract/vocabulary/alarm.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { describeAlarm } from '#domain/alarms/alarm-kind.ts'
import { type AlarmSetting, ownSettingOf } from '#domain/alarms/alarm-setting.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { TenantDb } from '../frame/tenant.ts'

const rowsOf = (db: TenantDb) =>
  db
    .from('alarm_settings')
    .selectAll('alarm_settings')
    .select(hasFeature(db, 'advancedAlarms', 'alarm_settings').as('isAdvanced'))
type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

const settingOfRow = (row: Row): AlarmSetting => ({
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

/** The part of a setting that applies without the feature; the other fields stay stored. */
const basicOf = (setting: AlarmSetting): AlarmSetting => ({
  ...setting,
  escalationHours: null,
  escalationPeople: [],
  escalationAddresses: [],
  serviceCycles: null,
})

const byMerchant = (rows: readonly Row[], settingOf: (row: Row) => AlarmSetting) =>
  new Map(
    [...Map.groupBy(rows, (row) => row.merchant_id)].map(([merchantId, ofMerchant]) => [
      merchantId,
      new Map(ofMerchant.map((row) => [row.code, settingOf(row)])),
    ]),
  )

/** Settings in effect for alarms of the scope's merchants, by merchant and code. Merchants without settings are left out. */
export const alarmSettings = async (db: TenantDb): Promise<Map<string, Map<string, AlarmSetting>>> =>
  byMerchant(await rowsOf(db).execute(), (row) => (row.isAdvanced ? settingOfRow(row) : basicOf(settingOfRow(row))))

/** The stored settings, to be shown and edited. */
export const storedAlarmSettings = async (db: TenantDb): Promise<Map<string, Map<string, AlarmSetting>>> =>
  byMerchant(await rowsOf(db).execute(), settingOfRow)

const none: ReadonlyMap<string, AlarmSetting> = new Map()

/** The settings of one merchant. */
export const settingsOf = (
  settings: ReadonlyMap<string, ReadonlyMap<string, AlarmSetting>>,
  merchantId: string,
): ReadonlyMap<string, AlarmSetting> => settings.get(merchantId) ?? none

/** The version of a merchant's setting for a code, locked until the transaction ends; 0 without a setting. */
export async function heldVersion(db: TenantDb, merchantId: string, code: string): Promise<number> {
  // There is no row to lock yet: the second of two first saves waits here.
  await sql`select pg_advisory_xact_lock(hashtext('gettone.alarm-settings'), hashtext(${merchantId}))`.execute(db.query)
  return versionOf(db, merchantId, code)
}

/** The same without a lock. */
export async function versionOf(db: TenantDb, merchantId: string, code: string): Promise<number> {
  const row = await db
    .from('alarm_settings')
    .where('alarm_settings.merchant_id', '=', merchantId)
    .where('alarm_settings.code', '=', code)
    .select('alarm_settings.version')
    .executeTakeFirst()
  return row?.version ?? 0
}

/** Stores a merchant's setting for a code under its new `version`. */
export async function writeAlarmSetting(
  db: TenantDb,
  merchantId: string,
  code: string,
  setting: AlarmSetting,
  version: number,
): Promise<void> {
  const row = {
    enabled: setting.enabled,
    criticity: setting.criticity,
    mail_from: setting.mailFrom,
    delay_minutes: setting.delayMinutes,
    to_people: setting.toPeople,
    addresses: [...setting.addresses],
    quiet_from: setting.quietHours?.from ?? null,
    quiet_to: setting.quietHours?.to ?? null,
    quiet_days: [...(setting.quietHours?.days ?? [1, 2, 3, 4, 5, 6, 7])],
    blocking_breaks_quiet: setting.blockingBreaksQuiet,
    reminder_hours: setting.reminderHours,
    escalation_hours: setting.escalationHours,
    escalation_people: [...setting.escalationPeople],
    escalation_addresses: [...setting.escalationAddresses],
    service_cycles: setting.serviceCycles,
    version,
  }
  await db.query
    .insertInto('alarm_settings')
    .values({ merchant_id: merchantId, code, ...row })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'code']).doUpdateSet(row))
    .execute()
}

export const removeAlarmSetting = (db: TenantDb, merchantId: string, code: string) =>
  db.query
    .deleteFrom('alarm_settings')
    .where(db.narrow('alarm_settings'))
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    .execute()

/**
 * Schedules a merchant's open alarms for new notices after a setting changed, of one code or of all codes without a setting of their own.
 * The recipients may have changed; mail that was sent is not taken back.
 */
export async function lookAgain(db: TenantDb, merchantId: string, code: string, at: Date): Promise<void> {
  const open = await db
    .from('alarms')
    .where('alarms.merchant_id', '=', merchantId)
    .where('alarms.status', 'in', ['active', 'notification'])
    .select('alarms.code')
    .distinct()
    .execute()
  const settings = settingsOf(await alarmSettings(db), merchantId)
  const isMeant = (each: string) =>
    code === anyCode ? !ownSettingOf(settings, each) : each === code || describeAlarm(each).stem === code
  const codes = open.map((row) => row.code).filter(isMeant)
  if (codes.length === 0) return
  await db.query
    .updateTable('alarms')
    .set({ notice_at: at })
    .where(db.narrow('alarms'))
    .where('merchant_id', '=', merchantId)
    .where('status', 'in', ['active', 'notification'])
    .where('code', 'in', codes)
    .execute()
}
