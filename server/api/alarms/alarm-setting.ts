import type {
  AlarmSettingDetails,
  AlarmSettingFilters,
  AlarmSettingRow,
  alarmSettingOrds,
  alarmSettings as rows,
} from '#contract/alarms/alarm-setting.ts'
import { ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import { isAlarmOf } from '#contract/vocabulary/alarm.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { type AlarmReader, alarmReaders } from '#database/alarms/alarm-people.ts'
import {
  heldVersion,
  lookAgain,
  removeAlarmSetting,
  settingsOf,
  storedAlarmSettings,
  versionOf,
  writeAlarmSetting,
} from '#database/alarms/alarm-setting.ts'
import type { Sorted } from '#database/frame/list.ts'
import { invisibleUsers } from '#database/frame/redacted-name.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { featuresOf } from '#database/merchants/merchant.ts'
import { lastChanges, recordChange } from '#database/platform/change-log.ts'
import { describeAlarm } from '#domain/alarms/alarm-kind.ts'
import { type AlarmSetting, ownSettingOf, settingOf } from '#domain/alarms/alarm-setting.ts'
import { kindOf, masterAlarms } from '#domain/alarms/troubleshooting.ts'
import { folded, isFoundIn } from '#domain/frame/folded.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import { keepingOmitted } from '#server/http/features.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { pageIn, sortedBy } from '#server/http/short-list.ts'
import { wordsIn } from '#server/words/words.ts'

const subjectType = 'alarmSetting'
type Settings = ReadonlyMap<string, AlarmSetting>
type Reader = Pick<TenantCall, 'db' | 'user'>

/** Without a selection: the settings of a code apply to all its selections. */
const stemOf = (code: string) => (code === anyCode ? anyCode : kindOf(code).code)

const kindOfAny = { code: anyCode, source: null, category: null, criticity: null }

const onWire = (setting: AlarmSetting) => ({
  ...setting,
  addresses: [...setting.addresses],
  escalationPeople: [...setting.escalationPeople],
  escalationAddresses: [...setting.escalationAddresses],
  quietHours: setting.quietHours && { ...setting.quietHours, days: [...setting.quietHours.days] },
})

function presentRow(settings: Settings, code: string): AlarmSettingRow {
  const { criticity: ownCriticity, ...kind } = code === anyCode ? kindOfAny : kindOf(code)
  const origin = ownSettingOf(settings, code) ? 'own' : code !== anyCode && settings.has(anyCode) ? 'any' : 'product'
  return { ...kind, ownCriticity, origin, ...onWire(settingOf(settings, code)) }
}

async function detailsOf({ db, user }: Reader, merchantId: string, code: string): Promise<AlarmSettingDetails> {
  const settings = settingsOf(await storedAlarmSettings(db), merchantId)
  const changed = (await lastChanges(db, subjectType, [code], seesInvisible(user))).get(code)
  return {
    ...presentRow(settings, code),
    version: await versionOf(db, merchantId, code),
    changedAt: toWireOrNull(changed?.at ?? null),
    changedBy: changed?.by ?? null,
  }
}

const isAmong = <T>(allowed: readonly T[] | undefined, value: T) => !allowed?.length || allowed.includes(value)

/** Whether a code starts with the text, or its name contains it in any language. */
function isNamed(code: string, search: string): boolean {
  const { name } = describeAlarm(code)
  const isCalled = (words: (key: string) => string) => name !== null && isFoundIn(words(name), search)
  return folded(code).startsWith(folded(search)) || languages.some((each) => isCalled(wordsIn(each, 'machine-event')))
}

const matches = (row: AlarmSettingRow, filters: AlarmSettingFilters) =>
  isAmong(filters.origins, row.origin) &&
  (!filters.categories?.length || (row.category !== null && filters.categories.includes(row.category))) &&
  (!filters.criticities?.length || filters.criticities.some((each) => each === (row.criticity ?? row.ownCriticity))) &&
  (filters.enabled === undefined || filters.enabled === row.enabled) &&
  (filters.search === undefined || isNamed(row.code, filters.search))

/** The default comes first in both sort directions. */
function ordered(
  all: readonly AlarmSettingRow[],
  { ord = 'code', ...directed }: Sorted<(typeof alarmSettingOrds)[number]>,
) {
  const valueOf = (row: AlarmSettingRow) => (ord === 'criticity' ? (row.criticity ?? row.ownCriticity) : row[ord])
  const byCode = sortedBy(all, ({ code }) => code, {})
  const [defaults, others] = [true, false].map((isDefault) =>
    byCode.filter(({ code }) => (code === anyCode) === isDefault),
  ) as [AlarmSettingRow[], AlarmSettingRow[]]
  return [...defaults, ...sortedBy(others, valueOf, directed)]
}

/**
 * Recipients of an escalation must be able to read the merchant's alarms. Existing recipients may stay, but get no mail
 * without that permission.
 */
function refuseStrangers(people: readonly AlarmReader[], before: AlarmSetting, ids: readonly string[]): void {
  const knownIds = new Set([...people.map(({ id }) => id), ...before.escalationPeople])
  if (ids.every((id) => knownIds.has(id))) return
  const fault = { path: 'escalationPeople', code: 'custom', message: 'rule.choice', rule: 'rule.choice' }
  throw new ProductError('ValidationFailed', { errors: [fault] })
}

/** The merchant's default can neither silence all alarms nor make all of them blocking. */
function refuseSweeping(code: string, { enabled, criticity }: AlarmSetting): void {
  if (code !== anyCode || (enabled && criticity === null)) return
  const path = enabled ? 'criticity' : 'enabled'
  throw new ProductError('ValidationFailed', {
    errors: [{ path, code: 'custom', message: 'rule.choice', rule: 'rule.choice' }],
  })
}

/** The users who can read a merchant's alarms. */
const readersOf = ({ doors }: Pick<TenantCall, 'doors'>, merchantId: string) =>
  doors.withSystem('alarm mail', (db) => alarmReaders(db, merchantId), 'single statement')

const logChange = async ({ db, live, user, now }: TenantCall, merchantId: string, code: string, change: object) => {
  const subject = { subjectType, subjectId: code }
  await recordChange(db, { merchantId, at: now, user, action: 'alarmSetting.update', ...subject, ...change })
  await lookAgain(db, merchantId, code, now)
  db.afterCommit(() => live.announce(merchantId, 'merchant'))
}

/** A merchant's effective settings that match, in order. There are a few hundred codes, so they are filtered and sorted here. */
export async function settingsMatching(
  db: TenantDb,
  merchantId: string,
  query: AlarmSettingFilters & Sorted<(typeof alarmSettingOrds)[number]>,
) {
  const settings = settingsOf(await storedAlarmSettings(db), merchantId)
  const { features } = await featuresOf(db, merchantId)
  const codes = new Set([anyCode, ...masterAlarms.map(({ code }) => code), ...settings.keys()])
  const matching = [...codes]
    .filter((code) => isAlarmOf(code, features))
    .map((code) => presentRow(settings, code))
    .filter((row) => matches(row, query))
  return ordered(matching, query)
}

/** A merchant's settings of alarms, code by code. */
export const alarmSettingHandlers: Handlers<typeof rows> = {
  listAlarmSettings: async ({ db, params, query }) => {
    refuseAll(params.merchantId)
    const matching = await settingsMatching(db, params.merchantId, query)
    return pageIn(matching, query)
  },

  getAlarmSetting: async (call) => {
    const { params } = call
    refuseAll(params.merchantId)
    return detailsOf(call, params.merchantId, stemOf(params.code))
  },

  updateAlarmSetting: async (call) => {
    const { db, params, body } = call
    const { merchantId } = params
    refuseAll(merchantId)
    const code = stemOf(params.code)
    const { version, ...edits } = body
    const held = await heldVersion(db, merchantId, code)
    if (version !== held) return refuseOvertaken(call, subjectType, code, await detailsOf(call, merchantId, code))
    const settings = settingsOf(await storedAlarmSettings(db), merchantId)
    const before = settingOf(settings, code)
    const setting = keepingOmitted(before, edits)
    refuseSweeping(code, setting)
    refuseStrangers(await readersOf(call, merchantId), before, setting.escalationPeople)
    await writeAlarmSetting(db, merchantId, code, setting, held + 1)
    await logChange(call, merchantId, code, { before, after: setting })
    return detailsOf(call, merchantId, code)
  },

  deleteAlarmSetting: async (call) => {
    const { db, params } = call
    const { merchantId } = params
    refuseAll(merchantId)
    const code = stemOf(params.code)
    if ((await heldVersion(db, merchantId, code)) === 0) return undefined
    const before = settingOf(settingsOf(await storedAlarmSettings(db), merchantId), code)
    await removeAlarmSetting(db, merchantId, code)
    const after = settingOf(settingsOf(await storedAlarmSettings(db), merchantId), code)
    await logChange(call, merchantId, code, { before, after })
    return undefined
  },

  listAlarmRecipients: async (call) => {
    const { db, params, user } = call
    refuseAll(params.merchantId)
    const hidden = seesInvisible(user) ? new Set<string>() : await invisibleUsers(db)
    const people = (await readersOf(call, params.merchantId)).filter(({ id }) => !hidden.has(id))
    return people.map(({ id, name, email, isAsking }) => ({ id, name, email, isAsking }))
  },
}
