import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { ofFeature } from '../frame/of-feature.ts'
import { Flag, Instant, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { wholeBetween } from '../rules/number.ts'
import { Email } from '../rules/text.ts'
import { AlarmCategory, AlarmCriticity, AlarmSource } from '../vocabulary/alarm.ts'
import { anyCode } from '../vocabulary/alarm-code.ts'
import { AlarmCode } from './troubleshooting.ts'

const SettingCode = z.union([z.literal(anyCode), AlarmCode])

/** Maximum addresses, and maximum users, in one setting. */
export const mostRecipients = 20
const different = (values: readonly unknown[]) => new Set(values).size === values.length
/** zod's own check excludes line ends, so that an address cannot add a header to a mail. */
const Addresses = z.array(Email.toLowerCase()).max(mostRecipients).refine(different, saying('choice'))
const People = z.array(ids.userId).max(mostRecipients).refine(different, saying('choice'))

const MinuteOfDay = wholeBetween(0, 1439)
const Hours = wholeBetween(1, 720).nullable()
const QuietHours = z.strictObject({
  /** Minutes of the merchant's local day; an end that is not after the beginning lies on the day after. */
  from: MinuteOfDay,
  to: MinuteOfDay,
  /** ISO days (Monday is 1) on which they begin. */
  days: z.array(wholeBetween(1, 7)).min(1).refine(different, saying('choice')),
})

const fields = {
  /** False: no new alarms of this code. */
  enabled: z.boolean(),
  /** Replaces the code's own severity; null keeps it. */
  criticity: AlarmCriticity.nullable(),
  /** Minimum severity of alarms to mail; null: no mail. */
  mailFrom: AlarmCriticity.nullable(),
  delayMinutes: wholeBetween(0, 1440),
  /** To the merchant's users who turned on alarm mail and see the machine. */
  toPeople: z.boolean(),
  addresses: Addresses,
  quietHours: QuietHours.nullable(),
  blockingBreaksQuiet: z.boolean(),
  /** Null: never. */
  reminderHours: Hours,
  escalationHours: ofFeature('advancedAlarms', Hours),
  escalationPeople: ofFeature('advancedAlarms', People),
  escalationAddresses: ofFeature('advancedAlarms', Addresses),
  /** Cycles between two services; null: not known. */
  serviceCycles: ofFeature('advancedAlarms', wholeBetween(1, 10_000_000).nullable()),
}

interface Escalated {
  escalationHours?: number | null | undefined
  escalationPeople?: readonly string[] | undefined
  escalationAddresses?: readonly string[] | undefined
}
/** Recipients of an escalation. */
const hasSomebody = ({ escalationHours, escalationPeople = [], escalationAddresses = [] }: Escalated) =>
  escalationHours === null || escalationHours === undefined || escalationPeople.length + escalationAddresses.length > 0
const atAddresses = { ...saying('required'), path: ['escalationAddresses'] }

/** The form fields of one code. */
export const EditedAlarmSetting = z.strictObject(fields).refine(hasSomebody, atAddresses)
export type EditedAlarmSetting = z.infer<typeof EditedAlarmSetting>

/** The source of a code's settings: its own, the merchant's default, or the product's. */
export const settingOrigins = ['own', 'any', 'product'] as const
export const SettingOrigin = z.enum(settingOrigins)
export type SettingOrigin = z.infer<typeof SettingOrigin>

/** The settings of a code. The code `*` is no alarm, so its source and category are null; `ownCriticity` is the code's default. */
export const AlarmSettingRow = z.strictObject({
  code: z.string(),
  source: AlarmSource.nullable(),
  category: AlarmCategory.nullable(),
  ownCriticity: AlarmCriticity.nullable(),
  origin: SettingOrigin,
  ...fields,
  addresses: z.array(z.string()),
  escalationAddresses: ofFeature('advancedAlarms', z.array(z.string())),
})
export type AlarmSettingRow = z.infer<typeof AlarmSettingRow>

/** The settings of one code. `version` is 0 without settings of its own. */
export const AlarmSettingDetails = AlarmSettingRow.extend({
  version: z.int().min(0),
  changedAt: Instant.nullable(),
  changedBy: z.string().nullable(),
})
export type AlarmSettingDetails = z.infer<typeof AlarmSettingDetails>

/** A user who can get a merchant's alarm notices. */
export const AlarmRecipient = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  /** The user turned on mail about alarms. */
  isAsking: z.boolean(),
})
export type AlarmRecipient = z.infer<typeof AlarmRecipient>

export const AlarmSettingFilters = z.strictObject({
  /** A code's beginning, or a part of its name in any language. */
  search: Search.optional(),
  origins: oneOrMany(SettingOrigin),
  categories: oneOrMany(AlarmCategory),
  criticities: oneOrMany(z.coerce.number().pipe(AlarmCriticity)),
  enabled: Flag.optional(),
})
export type AlarmSettingFilters = z.infer<typeof AlarmSettingFilters>

export const alarmSettingColumns = {
  code: {
    facts: {
      alarm: { kind: 'text', heading: 'alarm-setting:column.alarm' },
      code: { kind: 'text', heading: 'alarm:fact.code' },
    },
  },
  criticity: { kind: 'status', heading: 'alarm-setting:field.criticity', of: 'alarmCriticity' },
  enabled: { kind: 'flag', heading: 'alarm-setting:field.enabled' },
  mailFrom: { kind: 'text', heading: 'alarm-setting:field.mailFrom' },
  delayMinutes: { facts: { delay: { kind: 'number', unit: 'minutes', heading: 'alarm-setting:field.delayMinutes' } } },
  recipients: {
    sort: false,
    heading: 'alarm-setting:column.recipients',
    facts: {
      toPeople: { kind: 'flag', heading: 'alarm-setting:field.toPeople' },
      addresses: { kind: 'text', heading: 'alarm-setting:field.addresses' },
    },
  },
  origin: { kind: 'word', heading: 'alarm-setting:column.origin', of: 'settingOrigin' },
} as const satisfies ListColumns

export const alarmSettingOrds = ordsOf(alarmSettingColumns, 'code')

export const alarmSettings = {
  listAlarmSettings: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/alarm-settings',
    summary: 'List alarm settings by code, the default first',
    needs: 'settings.read',
    topics: ['merchant'],
    query: AlarmSettingFilters.extend(paged(alarmSettingOrds)),
    ok: pageOf(AlarmSettingRow),
    fails: ['MerchantNotFoundException'],
  }),
  getAlarmSetting: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/alarm-settings/{code}',
    summary: 'Get the alarm setting of a code; * is the default',
    needs: 'settings.read',
    topics: ['merchant'],
    params: { code: SettingCode },
    ok: AlarmSettingDetails,
    fails: ['MerchantNotFoundException'],
  }),
  updateAlarmSetting: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/alarm-settings/{code}',
    summary: 'Update the alarm setting of a code; also applies to open alarms',
    needs: 'settings.write',
    params: { code: SettingCode },
    body: z.strictObject({ ...fields, version: z.union([z.literal(0), Version]) }).refine(hasSomebody, atAddresses),
    ok: AlarmSettingDetails,
    // Who sees some groups adds no address, since that gets mail about all of them.
    fails: ['MerchantNotFoundException', 'Forbidden', 'EditConflict'],
  }),
  deleteAlarmSetting: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/alarm-settings/{code}',
    summary: 'Delete the alarm setting of a code; the default applies again',
    needs: 'settings.write',
    params: { code: SettingCode },
    fails: ['MerchantNotFoundException'],
  }),
  listAlarmRecipients: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/alarm-recipients',
    summary: 'List users who can be notified of the merchant’s alarms',
    needs: 'settings.read',
    ok: z.array(AlarmRecipient),
    fails: ['MerchantNotFoundException'],
  }),
}

/** The list as a file. */
export const exportedAlarmSettings = {
  row: alarmSettings.listAlarmSettings,
  filters: AlarmSettingFilters,
  ords: alarmSettingOrds,
  columns: alarmSettingColumns,
} as const satisfies ExportedList
